import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isFault } from '../../runtime/runtime-fault.ts';
import { systemClock } from '../../telemetry/clock.ts';
import { lateEngine } from './late-engine.ts';

const options = { dataFolder: '/nowhere', runtimeFolder: null, environment: {}, clock: systemClock, progress: assert.fail };

for (const isNamed of [true, false]) {
  test(`an engine ${isNamed ? 'whose address is named' : 'at a usual socket'} is found when it comes`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zun-late-'));
    const socket = join(folder, 'engine.sock');
    const place = isNamed ? { dockerHost: `unix://${socket}` } : { dockerHost: null, sockets: [socket] };
    const late = await lateEngine({ ...options, ...place });
    assert.match(late.description, isNamed ? /^none yet \(.*engine\.sock: .*ENOENT/ : /^none yet \(There is no container engine: /);
    await assert.rejects(late.find(), (error) => isFault(error, 'unreachable') && !error.message.includes('\n'));

    const server = createServer((_request, response) => response.end('{"ApiVersion":"1.47","MinAPIVersion":"1.24"}')).listen(socket);
    await once(server, 'listening');
    try {
      const { socketPath, kind, apiVersion } = await late.find();
      assert.deepEqual([socketPath, kind, apiVersion], [socket, 'docker', '1.41']);
      const present = await lateEngine({ ...options, ...place });
      assert.equal(present.description, `Docker at unix://${socket}`);
    } finally {
      server.closeAllConnections();
      server.close();
      await rm(folder, { recursive: true });
    }
  });
}

test('an address that is none is an error at once', async () => {
  await assert.rejects(lateEngine({ ...options, dockerHost: 'ftp://engine' }), /^Error: The engine's address ftp:\/\/engine is neither/);
});
