import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { image, ProgramsWorld } from './programs-world.ts';

describe('the programs, each in a process of its own', () => {
  let world: ProgramsWorld;
  before(async () => {
    world = await ProgramsWorld.open();
  });
  after(() => world?.close());

  test('an API, two workers and an agent make a container, tell its logs, and take it away', async () => {
    await world.start('zun-compute-agent');
    await world.start('zun-compute');
    await world.start('zun-compute');
    await world.start('zun-api');
    const client = await world.client();
    const body = { name: 'first', image, command: ['sh', '-c', 'echo hello; exec sleep 1000'], cpu: 0.1, memory: '32' };
    const { uuid } = await client.request('POST', '/v1/containers?run=true', body);
    const path = `/v1/containers/${uuid}`;
    const made = await client.until(path, ({ status }) => status === 'Running' || status === 'Error');
    assert.equal(made.status, 'Running', String(made.status_reason));
    assert.match(String(await client.request('GET', `${path}/logs`)), /hello/);
    await client.request('DELETE', `${path}?stop=true`);
    await client.untilGone(path);
  });
});
