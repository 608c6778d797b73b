import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../telemetry/clock.ts';
import { findEngine } from './find-engine.ts';

test('where no engine may be started, none that runs is an error that says what to do', async () => {
  const options = { dataFolder: '/nowhere', dockerHost: null, runtimeFolder: null, environment: {}, clock: systemClock };
  const found = findEngine({ ...options, search: 'running', sockets: ['/nowhere/docker.sock'], progress: assert.fail });
  await assert.rejects(found, /^Error: There is no container engine: .*\nStart one, or set engine\.address or DOCKER_HOST;/);
});
