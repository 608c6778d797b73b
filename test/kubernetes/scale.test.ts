import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Fernet } from '../../src/crypto/fernet.ts';
import { zunCore } from '../../src/programs/zun-core.ts';
import type { ContainerRuntime } from '../../src/runtime/container-runtime.ts';
import { MemoryImageStore } from '../../src/runtime/memory/memory-image-store.ts';
import { MemoryNetworks } from '../../src/runtime/memory/memory-networks.ts';
import type { StateSync } from '../../src/sync/state-sync.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { silentLogger } from '../../src/telemetry/logger.ts';
import { benchIdentity } from '../bench/bench-identity.ts';
import { BenchInventory } from '../bench/bench-inventory.ts';
import { BenchNetworking } from '../bench/bench-networking.ts';
import { BenchVolumes } from '../bench/bench-volumes.ts';
import { sqliteSource, type TestDatabase } from '../databases/test-database.ts';
import { until } from '../system/engine/until.ts';
import type { Member } from './scale/population.ts';
import { ScaleWorld } from './scale/scale-world.ts';

const [containers, nodes] = [500, 50];
const projects = Array.from({ length: 5 }, (_, index) => String(index).repeat(32));

describe(`state sync of ${containers} containers on ${nodes} nodes`, () => {
  let world: ScaleWorld;
  let database: TestDatabase;
  let runtime: ContainerRuntime;
  let closeAdapters: () => Promise<void>;
  let sync: StateSync;
  /** Since the last measurement began: statements that read or write containers, calls to the API server, comparisons. */
  const seen = { sql: [] as string[], calls: [] as string[], reconciled: 0, differing: 0 };

  before(async () => {
    database = await sqliteSource.open(({ query }) => seen.sql.push(query.sql));
    world = await ScaleWorld.open({ containers, nodes, projects }, database);
    const adapters = await world.adapters((operation) => {
      seen.calls.push(operation.replace(/\/apis?\/.*\{namespace\}\/|\/api\/v1\//, ''));
      return () => {};
    });
    runtime = adapters.runtime;
    closeAdapters = () => adapters.close();
  });
  after(async () => {
    await sync?.stop();
    await closeAdapters?.();
    await world?.close();
    await database?.close();
  });

  const clear = () => Object.assign(seen, { sql: [], calls: [], reconciled: 0, differing: 0 });
  const reads = () => seen.sql.filter((text) => /^select.*from "container"/.test(text)).length;
  const writes = () => seen.sql.filter((text) => /^(insert|update|delete)/.test(text));
  const compared = (count: number) => until(`${count} are compared`, async () => (seen.reconciled >= count ? true : null), 120_000);
  const startedAt = async ({ uuid }: Member) => {
    const row = await database.queries.selectFrom('container').select('started_at').where('uuid', '=', uuid).executeTakeFirstOrThrow();
    return row.started_at;
  };
  const begin = async () => {
    const core = await zunCore({
      ...{ settings: world.settings, database, clock: systemClock, ids: randomIds, logger: silentLogger, runtime },
      ...{
        images: new MemoryImageStore({ registry: {} }),
        networking: new BenchNetworking(new MemoryNetworks()),
        volumes: new BenchVolumes(),
      },
      ...{ inventory: new BenchInventory(), identity: benchIdentity, identityUrl: 'http://identity.example' },
      ...{ fernet: new Fernet('0123456789abcdef0123456789abcdef'), policyFile: '/nonexistent/policy.yaml' },
      observers: {
        onAnswered: () => {},
        tasks: {},
        sync: {
          listed({ differing }) {
            seen.differing += differing;
          },
          reconciled() {
            seen.reconciled += 1;
          },
        },
      },
    });
    sync = core.startSync();
    await sync.firstListing;
  };

  test('a start that finds all rows true reads each page once, asks for no Pod by itself and writes nothing', async () => {
    clear();
    await begin();
    assert.equal(seen.differing, 0);
    assert.deepEqual(seen.calls.toSorted(), ['GET namespaces', 'GET pods', 'GET pods', ...projects.map(() => 'GET secrets'), 'WATCH pods']);
    assert.deepEqual(writes(), []);
    // A page, the one behind it, which is empty, and the capsules.
    assert.equal(reads(), 3);
    await sync.stop();
  });

  test('a start that finds ten of them wrong looks at these ten and writes each once', async () => {
    const uuids = world.population.members.slice(0, 10).map(({ uuid }) => uuid);
    await database.queries.updateTable('container').set({ status: 'Stopped' }).where('uuid', 'in', uuids).execute();
    clear();
    await begin();
    await compared(10);
    assert.equal(seen.differing, 10);
    assert.equal(seen.calls.filter((call) => call === 'GET pods/{name}').length, 10);
    assert.equal(seen.calls.length, 14 + projects.length);
    assert.equal(writes().length, 10);
    const wrong = await database.queries.selectFrom('container').select('uuid').where('status', '!=', 'Running').execute();
    assert.deepEqual(wrong, []);
  });

  test('twenty that change take one call, one write and a few reads each, and the others nothing', async () => {
    const members = world.population.members.slice(100, 120);
    const before = await Promise.all(members.map(startedAt));
    clear();
    for (const member of members) await world.restart(member);
    await compared(20);
    assert.deepEqual(seen.calls, Array(20).fill('GET pods/{name}'));
    assert.equal(writes().length, 20);
    // Whose it is (twice, the first time), whether a capsule's, as it is, and as it is once more before the write.
    assert.ok(reads() <= 20 * 5, `${reads()}`);
    const now = await Promise.all(members.map(startedAt));
    for (const [index, value] of now.entries()) assert.notEqual(value, before[index]);
  });

  test('what says nothing new of a container takes no call and no statement', async () => {
    const members = world.population.members.slice(100, 120);
    const [last] = members as [Member];
    clear();
    for (const member of members) await world.touch(member);
    // Comes behind them on the same stream.
    await world.restart(last);
    await compared(1);
    assert.deepEqual(seen.calls, ['GET pods/{name}']);
    assert.equal(writes().length, 1);
    await sync.stop();
  });

  test('a record without a Pod is asked for at one listing, and not again until it changes', async () => {
    const gone = world.population.members.slice(200, 230);
    for (const { namespace, name } of gone) {
      const path = `/api/v1/namespaces/${namespace}/pods/${name}`;
      await world.client.request({ method: 'DELETE', path, query: { gracePeriodSeconds: 0 } });
    }
    const list = async () => {
      clear();
      return (await runtime.list()).length;
    };
    assert.equal(await list(), containers);
    assert.deepEqual([seen.calls.length, seen.calls.filter((call) => call === 'GET secrets/{name}').length], [32 + projects.length, 30]);
    assert.equal(await list(), containers);
    assert.equal(seen.calls.length, 2 + projects.length);
  });
});
