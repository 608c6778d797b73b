import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { isFault, RuntimeFault } from '../runtime-fault.ts';
import { EngineClient } from './engine-client.ts';
import type { EngineTarget } from './engine-target.ts';

/** An engine that answers everything, and is found when the test says so. */
async function setUp() {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    response.end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const target: EngineTarget = { socketPath: null, origin: `http://127.0.0.1:${port}`, kind: 'podman', apiVersion: '1.41' };
  const bench = { searches: 0, search: async (): Promise<EngineTarget> => target };
  const outcomes: string[] = [];
  const client = new EngineClient(
    () => {
      bench.searches += 1;
      return bench.search();
    },
    () => (outcome) => void outcomes.push(outcome),
  );
  return Object.assign(bench, {
    client,
    target,
    paths,
    outcomes,
    async [Symbol.asyncDispose]() {
      await client.close();
      server.closeAllConnections();
      server.close();
    },
  });
}

const info = { method: 'GET', path: '/info' } as const;

test('an engine that is not there yet is looked for by each call, and never again once it was found', async () => {
  await using bench = await setUp();
  bench.search = async () => {
    throw new RuntimeFault('unreachable', 'There is no container engine.');
  };
  const refused = (error: unknown) => isFault(error, 'unreachable') && error.message === 'There is no container engine.';
  await assert.rejects(bench.client.json(info), refused);
  await assert.rejects(bench.client.stream(info), refused);
  await assert.rejects(bench.client.kind(), refused);
  assert.deepEqual([bench.searches, bench.client.knownKind, bench.outcomes], [3, null, ['unreachable', 'unreachable']]);

  bench.search = async () => bench.target;
  assert.deepEqual(await bench.client.json(info), {});
  assert.deepEqual([await bench.client.kind(), bench.client.knownKind], ['podman', 'podman']);
  await bench.client.json(info);
  assert.deepEqual([bench.searches, bench.paths], [4, ['/v1.41/info', '/v1.41/info']]);
});

test('calls at the same time wait for one search; who gives up waits no longer', async () => {
  await using bench = await setUp();
  const found = Promise.withResolvers<EngineTarget>();
  bench.search = () => found.promise;
  const waiting = [bench.client.json(info), bench.client.json(info), bench.client.kind()];
  await assert.rejects(bench.client.json({ ...info, signal: AbortSignal.timeout(1) }), (error) => isFault(error, 'timeout'));
  await assert.rejects(bench.client.kind(AbortSignal.timeout(1)), (error) => isFault(error, 'timeout'));
  found.resolve(bench.target);
  await Promise.all(waiting);
  assert.equal(bench.searches, 1);
});

test('an engine that is found after the end opens no connection', async () => {
  await using bench = await setUp();
  const found = Promise.withResolvers<EngineTarget>();
  bench.search = () => found.promise;
  const waiting = bench.client.json(info);
  await bench.client.close();
  found.resolve(bench.target);
  await assert.rejects(waiting, (error) => isFault(error, 'unreachable'));
  assert.deepEqual(bench.paths, []);
});
