import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeOnFake } from '../kubernetes-fake/runtime-on-fake.ts';

/** A runtime on a cluster that counts its calls, whose project has its namespace. */
async function setUp() {
  const calls: string[] = [];
  const bench = await runtimeOnFake((operation) => {
    calls.push(operation.replace(/\/apis?\/.*\{namespace\}\/|\/apis?\/([a-z0-9.]+\/)?v1\//, '').replace('/{name}', ' one'));
    return () => {};
  });
  const cost = async (work: () => Promise<unknown>) => {
    calls.length = 0;
    await work();
    return [...calls].sort();
  };
  return Object.assign(bench, { cost });
}

type Bench = Awaited<ReturnType<typeof setUp>>;

const created = (bench: Bench): Promise<string> => bench.created();

async function running(bench: Bench): Promise<string> {
  const uuid = await created(bench);
  await bench.runtime.start(uuid);
  return uuid;
}

async function stopped(bench: Bench): Promise<string> {
  const uuid = await running(bench);
  await bench.runtime.stop(uuid, 10);
  return uuid;
}

const login = { policy: 'always' as const, credentials: { username: 'me', password: 'it' } };
const file = { kind: 'content' as const, content: Buffer.from('x'), destination: '/x' };

/** By operation: what is there before, what is done, the calls to the API server that it takes. */
const budgets: [string, (bench: Bench) => Promise<string>, (bench: Bench, uuid: string) => Promise<unknown>, string[]][] = [
  [
    'create, the first of a project',
    async () => '',
    (bench) => bench.created(),
    ['POST namespaces', 'POST networkpolicies', 'POST secrets'],
  ],
  ['create', created, (bench) => bench.created(), ['POST secrets']],
  [
    'create with a login and files',
    created,
    (bench) => bench.created({ imagePull: login, mounts: [file] }),
    ['POST secrets', 'POST secrets', 'POST secrets'],
  ],
  ['start', created, ({ runtime }, uuid) => runtime.start(uuid), ['GET secrets one', 'PATCH secrets one', 'POST pods', 'WATCH pods']],
  ['start of what runs', running, ({ runtime }, uuid) => runtime.start(uuid), ['GET pods one', 'GET secrets one']],
  [
    'start of what has ended',
    stopped,
    ({ runtime }, uuid) => runtime.start(uuid),
    ['DELETE pods one', 'GET pods one', 'GET secrets one', 'PATCH secrets one', 'PATCH secrets one', 'POST pods', 'WATCH pods'],
  ],
  ['stop', running, ({ runtime }, uuid) => runtime.stop(uuid, 10), ['GET pods one', 'PATCH pods one', 'WATCH pods']],
  ['stop of what has ended', stopped, ({ runtime }, uuid) => runtime.stop(uuid, 10), ['GET pods one']],
  ['delete', running, ({ runtime }, uuid) => runtime.remove(uuid), ['DELETE pods one', 'DELETE secrets', 'WATCH pods']],
  ['delete of what has ended', stopped, ({ runtime }, uuid) => runtime.remove(uuid), ['DELETE pods one', 'DELETE secrets']],
  ['delete of what never ran', created, ({ runtime }, uuid) => runtime.remove(uuid), ['DELETE pods one', 'DELETE secrets']],
  ['a look', running, ({ runtime }, uuid) => runtime.inspect(uuid), ['GET pods one']],
  ['a look at what never ran', created, ({ runtime }, uuid) => runtime.inspect(uuid), ['GET pods one', 'GET secrets one']],
  ['a listing', running, ({ runtime }) => runtime.list(), ['GET namespaces', 'GET pods', 'GET secrets']],
];

for (const [name, arrange, act, calls] of budgets)
  test(`${name} takes ${calls.length} calls to the API server`, async () => {
    await using bench = await setUp();
    const uuid = await arrange(bench);
    assert.deepEqual(await bench.cost(() => act(bench, uuid)), calls);
  });

test('a start answers what a look would tell', async () => {
  await using bench = await setUp();
  const uuid = await created(bench);
  const seen = await bench.runtime.start(uuid);
  assert.equal(seen?.state.status, 'running');
  assert.deepEqual(seen, await bench.runtime.inspect(uuid));
});

test('a start that finds a Pod which another attempt has made waits for that one', async () => {
  await using bench = await setUp();
  const uuid = await running(bench);
  const [path, record] = [...bench.cluster.objects].find(([name]) => name.endsWith(`/secrets/zun-${uuid}`)) ?? [];
  assert.ok(path && record);
  // As if the other attempt had not come to note it yet.
  bench.cluster.objects.set(path, { ...record, metadata: { ...record.metadata, annotations: {} } });
  const pods = [...bench.cluster.objects.keys()].filter((name) => name.includes('/pods/'));
  assert.equal((await bench.runtime.start(uuid))?.state.status, 'running');
  assert.deepEqual(
    [...bench.cluster.objects.keys()].filter((name) => name.includes('/pods/')),
    pods,
  );
});
