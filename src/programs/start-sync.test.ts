import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LocalBench } from '../../test/bench/local-bench.ts';
import { containerWith, little } from '../../test/sagas/containers.ts';
import { defaultSettings } from '../config/settings.ts';
import { LocalInventory } from '../local/inventory/local-inventory.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import { leaseTimes } from '../sync/lead.ts';
import type { StateSync } from '../sync/state-sync.ts';
import { silentLogger } from '../telemetry/logger.ts';
import { startSync } from './start-sync.ts';

/** Processes that could keep rows true, of one database and one runtime. */
class Processes {
  readonly bench: LocalBench;
  /** Who listed the runtime, once a listing. */
  readonly listed: string[] = [];
  readonly #spansHosts: boolean;

  static async open(spansHosts: boolean): Promise<Processes> {
    return new Processes(await LocalBench.open(), spansHosts);
  }

  private constructor(bench: LocalBench, spansHosts: boolean) {
    this.bench = bench;
    this.#spansHosts = spansHosts;
  }

  start(name: string, host = 'bench'): StateSync {
    const { database, clock } = this.bench;
    const services = { ...this.bench.core.services, runtime: this.#seenBy(name) };
    const parts = { settings: defaultSettings(host), database, clock, logger: silentLogger, inventory: new LocalInventory(database) };
    return startSync({ ...parts, runtime: services.runtime }, services, { holder: name });
  }

  async minutes(count: number): Promise<void> {
    for (let seconds = 0; seconds < 60 * count; seconds += 5) await this.bench.pass(5_000);
  }

  async status(uuid: string): Promise<unknown> {
    return (await this.bench.ask('GET', `/v1/containers/${uuid}`)).status;
  }

  #seenBy(name: string): ContainerRuntime {
    return new Proxy<ContainerRuntime>(this.bench.runtime, {
      get: (target, member) => {
        if (member === 'spansHosts') return this.#spansHosts;
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]) => {
          if (member === 'list') this.listed.push(name);
          return value.apply(target, args);
        };
      },
    });
  }
}

describe('of several processes', () => {
  test('one follows a cluster, whatever hosts they are on; the others ask it nothing', async () => {
    const processes = await Processes.open(true);
    const uuid = await containerWith(processes.bench, little);
    const syncs = [processes.start('one', 'a'), processes.start('two', 'b'), processes.start('three', 'c')];
    await processes.minutes(2);
    assert.equal(new Set(processes.listed).size, 1, processes.listed.join());
    await processes.bench.runtime.kill(uuid, 'SIGKILL');
    await processes.minutes(1);
    assert.equal(await processes.status(uuid), 'Stopped');
    await Promise.all(syncs.map((sync) => sync.stop()));
  });

  test('another follows it when the first ends, and finds what changed between', async () => {
    const processes = await Processes.open(true);
    const uuid = await containerWith(processes.bench, little);
    const first = processes.start('first');
    await processes.minutes(1);
    const second = processes.start('second');
    await processes.minutes(1);
    await first.stop();
    await processes.bench.runtime.kill(uuid, 'SIGKILL');
    assert.equal(await processes.status(uuid), 'Running', 'nobody looks');
    await processes.bench.pass(leaseTimes.renewal);
    await second.firstListing;
    await processes.bench.pass(1_000);
    assert.equal(await processes.status(uuid), 'Stopped');
    assert.equal(processes.listed.at(-1), 'second');
    await second.stop();
  });

  test('each host’s engine is followed by one of its own, and hosts are looked after by one of all', async () => {
    const processes = await Processes.open(false);
    const syncs = [processes.start('a1', 'a'), processes.start('a2', 'a'), processes.start('b1', 'b')];
    await processes.minutes(2);
    const followers = new Set(processes.listed);
    assert.equal(followers.size, 2, processes.listed.join());
    assert.ok(followers.has('b1'));
    const leases = await processes.bench.database.queries.selectFrom('openkeel_lease').select('name').orderBy('name').execute();
    assert.deepEqual(
      leases.map(({ name }) => name),
      ['hosts', 'sync:a', 'sync:b'],
    );
    await Promise.all(syncs.map((sync) => sync.stop()));
  });

  test('a host whose engine somebody follows is not lost though its agent is silent, and one that nobody follows is', async () => {
    const processes = await Processes.open(false);
    const uuid = await containerWith(processes.bench, little);
    const own = processes.start('own', 'bench');
    const other = processes.start('other', 'b');
    await processes.minutes(8);
    assert.equal(await processes.status(uuid), 'Running');
    await own.stop();
    await processes.minutes(8);
    assert.equal(await processes.status(uuid), 'Unknown');
    await other.stop();
  });
});
