import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { holdings } from '../../bench/leftovers.ts';
import { until } from '../engine/until.ts';
import { assertAgreement, lookAt } from './agreement.ts';
import { EngineGate } from './engine-gate.ts';
import { type Experiment, experimentsOf, type WorkName, wish, workNames, works } from './experiments.ts';
import type { ProgramProcess } from './program-process.ts';
import { ProgramsWorld } from './programs-world.ts';

/** An experiment that is under way. */
interface Running extends Experiment {
  uuid: string;
}

/**
 * A worker is interrupted at every call that changes something in the engine, once before and once after it took effect, and another goes
 * on. All at once: the worker is at another call for each container when it is killed, or stopped for longer than its lease.
 */
describe('a worker that is interrupted in the middle of its work', () => {
  let world: ProgramsWorld;
  let experiments: Experiment[] = [];
  const gates: EngineGate[] = [];

  before(async () => {
    world = await ProgramsWorld.open();
    await Promise.all([world.start('zun-api'), world.start('zun-compute-agent')]);
    for (const name of ['first', 'second', 'third']) {
      const { status, text } = await world.ask('POST', '/v1/networks', { name, neutron_net_id: name }, 'zun-admin');
      assert.equal(status, 200, text);
    }
  });
  after(async () => {
    await world?.close();
    for (const gate of gates) await gate.close();
  });

  /** A worker behind a gate of its own. */
  const gated = async (): Promise<{ gate: EngineGate; worker: ProgramProcess }> => {
    const gate = await EngineGate.open(world.socket, world.folder, `gate-${gates.length}`, (uuid) => world.containerOf(uuid));
    gates.push(gate);
    return { gate, worker: await world.start('zun-compute', { DOCKER_HOST: gate.address }) };
  };
  const leaves = async (worker: ProgramProcess): Promise<void> => {
    worker.signal('SIGTERM');
    assert.equal(await worker.ended(), 0, worker.log);
  };

  /** Has a worker at every call that is to be interrupted; answers what it is at. */
  const interrupted = async (gate: EngineGate, containers: Map<Experiment, string>): Promise<Running[]> => {
    const running: Running[] = [];
    for (const experiment of experiments) {
      const uuid = await works[experiment.work].ask(world, containers.get(experiment) ?? '');
      gate.plan(uuid, experiment.catch);
      running.push({ ...experiment, uuid });
    }
    await Promise.all(running.map(async ({ uuid, call }) => assert.equal(await gate.caught(uuid), call)));
    return running;
  };

  /** Containers for the work that needs one. */
  const prepared = async (): Promise<Map<Experiment, string>> => {
    const worker = await world.start('zun-compute');
    const containers = new Map<Experiment, string>();
    for (const experiment of experiments) if (experiment.work !== 'create') containers.set(experiment, await world.create(wish));
    await world.settled();
    for (const uuid of containers.values()) {
      const seen = await world.show(uuid);
      assert.equal(seen?.status, 'Running', `${seen?.status_reason}\n${world.log}`);
    }
    await leaves(worker);
    return containers;
  };

  const finished = async (running: Running[]): Promise<void> => {
    for (const { work, call, catch: caught, uuid } of running) {
      const seen = await world.show(uuid);
      try {
        works[work].done(seen, wish.nets.length);
      } catch (cause) {
        throw new Error(`${work}, ${caught.moment} ${call} (${uuid}): ${JSON.stringify(seen)}\n${world.log}`, { cause });
      }
    }
    await assertAgreement(world);
  };

  /** Takes everything away; nothing may be left. */
  const cleared = async (running: Running[]): Promise<void> => {
    for (const { work, uuid } of running) if (work !== 'delete') await world.act('DELETE', uuid, '?stop=true');
    await world.settled();
    const left = await holdings(lookAt(world));
    assert.deepEqual(
      Object.entries(left).filter(([, held]) => held.length > 0),
      [],
    );
  };

  test('what it does to the engine is counted', async () => {
    const { gate, worker } = await gated();
    const calls = new Map<WorkName, readonly string[]>();
    let uuid = '';
    for (const name of workNames) {
      const before = uuid === '' ? null : await world.show(uuid);
      if (uuid !== '') gate.plan(uuid, null);
      uuid = await works[name].ask(world, uuid);
      if (name === 'create') gate.plan(uuid, null);
      await world.settled();
      works[name].done(await world.show(uuid), Object.keys(before?.addresses ?? {}).length);
      calls.set(name, gate.calls(uuid));
    }
    await leaves(worker);
    experiments = experimentsOf(calls);
    for (const [name, made] of calls) console.log(`${name}: ${made.join(', ')}`);
    console.log(`${experiments.length} interruptions`);
  });

  test('SIGKILL: another finishes all of it, once', async () => {
    const containers = await prepared();
    const { gate, worker } = await gated();
    const running = await interrupted(gate, containers);
    await worker.kill();
    gate.letGo();
    const other = await world.start('zun-compute');
    await world.settled();
    await finished(running);
    await cleared(running);
    await leaves(other);
  });

  test('SIGSTOP for longer than the lease: another finishes all of it, and the first, awake again, does nothing more', async () => {
    const containers = await prepared();
    const { gate, worker } = await gated();
    const running = await interrupted(gate, containers);
    worker.signal('SIGSTOP');
    const other = await world.start('zun-compute');
    await world.settled();
    await finished(running);
    const before = running.map(({ uuid }) => gate.calls(uuid));
    const counts = before.map((calls) => calls.length);
    gate.letGo();
    worker.signal('SIGCONT');
    await until('the first knows that it has lost all of it', async () =>
      (await worker.metric('zun_tasks_left_total', 'outcome="lost"')) === running.length ? true : null,
    );
    assert.deepEqual(
      before.map((calls) => calls.length),
      counts,
      before.map((calls) => calls.join(', ')).join('\n'),
    );
    await leaves(worker);
    await finished(running);
    await cleared(running);
    await leaves(other);
  });
});
