import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { ComponentName } from '../../cluster/components.ts';
import { until } from '../../system/engine/until.ts';
import type { ProgramProcess } from '../../system/programs/program-process.ts';
import { assertAgreement } from './agreement.ts';
import type { Catch } from './caught-calls.ts';
import type { FaultsWorld } from './faults-world.ts';
import { assertDone, prepared, removed, type WorkName, workNames, works } from './works.ts';

/** Work that is under way. */
interface Running {
  name: WorkName;
  uuid: string;
}

/** Asks for each work, and catches each at the call that is told for it. */
async function begun(world: FaultsWorld, names: readonly WorkName[], wanted: (index: number) => Catch | null): Promise<Running[]> {
  const uuids = await prepared(world, names);
  world.gate.rule = world.catches.rule;
  const running: Running[] = [];
  for (const [index, name] of names.entries()) {
    if (uuids[index]) world.catches.plan(uuids[index], wanted(index));
    const uuid = await works[name].ask(world, uuids[index] ?? '');
    if (!uuids[index]) world.catches.plan(uuid, wanted(index));
    running.push({ name, uuid });
  }
  return running;
}

/** Holds everything against what it should be, takes it away, and looks for what is left. */
async function finished(world: FaultsWorld, running: readonly Running[]): Promise<void> {
  await world.settled();
  for (const { name, uuid } of running) await assertDone(world, name, uuid);
  await assertAgreement(world);
  world.gate.heal();
  for (const { name, uuid } of running) await removed(world, name, uuid);
  await assertAgreement(world);
  assert.equal((await world.database.queries.selectFrom('container').select('uuid').execute()).length, 0);
}

/** Kills components one after another, does something after each, and starts them again whatever happens. */
async function killed(world: FaultsWorld, names: readonly ComponentName[], then: (name: ComponentName) => Promise<void>): Promise<void> {
  const dead: ComponentName[] = [];
  try {
    for (const name of names) {
      await world.cluster.kill(name);
      dead.push(name);
      await then(name);
    }
  } finally {
    for (const name of dead) await world.cluster.start(name);
  }
}

/** Everything that takes part is killed in the middle of each work, and started again. */
export function whatIsKilled(open: () => FaultsWorld): void {
  describe('in the middle of every work', () => {
    let world: FaultsWorld;
    let api: ProgramProcess;
    let workers: ProgramProcess[];
    /** Calls of each work, as made when nothing goes wrong. */
    const calls = new Map<WorkName, readonly string[]>();

    before(async () => {
      world = open();
      api = await world.start('zun-api');
      workers = await Promise.all([world.start('zun-compute'), world.start('zun-compute')]);
    });
    // Whoever leads gives that back.
    after(() => Promise.all([api, ...workers].map((program) => world.leave(program))));

    test('(without a fault) all works end as they should', async () => {
      const running = await begun(world, workNames, () => null);
      await world.settled();
      for (const { name, uuid } of running) calls.set(name, [...world.catches.calls(uuid)]);
      await finished(world, running);
    });

    // All works are caught when they have told their Pods: the cluster is at it, and the worker waits for it.
    const atTheirPods = () => ({ words: / pods$/ });
    const allCaught = (running: Running[]) => Promise.all(running.map(({ uuid }) => world.catches.caught(uuid)));
    /** A work that took more calls without a fault, since its worker was late for its lease, is over before it is caught. */
    const isOver = async (uuid: string) => {
      const tasks = world.database.queries.selectFrom('openkeel_task').select('id').where('subject', '=', uuid).execute();
      return (await tasks).length === 0 ? true : null;
    };

    for (const [what, components] of [
      ['the kubelet is', ['kubelet']],
      ['controllers and scheduler are', ['kube-controller-manager', 'kube-scheduler']],
    ] as const)
      test(`${what} killed`, async () => {
        const running = await begun(world, workNames, atTheirPods);
        await allCaught(running);
        await killed(world, components, async () => world.catches.letGo());
        await finished(world, running);
      });

    test('the API server loses its database, and is killed itself', async () => {
      const running = await begun(world, workNames, atTheirPods);
      await allCaught(running);
      let waiting = 0;
      world.gate.rule = async (_call, ask) => {
        waiting += 1;
        return ask().finally(() => {
          waiting -= 1;
        });
      };
      await killed(world, ['etcd', 'kube-apiserver'], async (component) => {
        if (component !== 'etcd') return;
        world.catches.letGo();
        // It takes calls, and answers none.
        await until('calls hang', async () => (waiting >= running.length ? true : null), 60_000);
      });
      await finished(world, running);
    });

    test('zun-api is killed while it writes, and nothing was asked for; it is killed later, and the works go on', async () => {
      const uuids = await prepared(world, workNames);
      const { queries } = world.database;
      await queries.connection().execute(async (locking) => {
        await sql`lock tables openkeel_task write`.execute(locking);
        const asked = Promise.allSettled(workNames.map((name, index) => works[name].ask(world, uuids[index] ?? '')));
        await until('all requests wait for the table', async () => ((await waiting(world)) >= workNames.length ? true : null));
        await api.kill();
        for (const { status } of await asked) assert.equal(status, 'rejected');
        await sql`unlock tables`.execute(locking);
      });
      api = await world.start('zun-api');
      await assertAgreement(world);
      const rows = await queries.selectFrom('container').select('uuid').where('capsule_id', 'is', null).execute();
      assert.deepEqual(rows.map(({ uuid }) => uuid).toSorted(), uuids.filter((uuid) => uuid !== '').toSorted());
      // All of it can be asked again, and goes on without it.
      world.gate.rule = world.catches.rule;
      const running: Running[] = [];
      for (const [index, name] of workNames.entries()) {
        const uuid = await works[name].ask(world, uuids[index] ?? '');
        world.catches.plan(uuid, atTheirPods());
        running.push({ name, uuid });
      }
      await allCaught(running);
      await api.kill();
      world.catches.letGo();
      await world.settled();
      api = await world.start('zun-api');
      await finished(world, running);
    });

    test('workers are killed after each call that changes something in the cluster, and others go on', async () => {
      await Promise.all(workers.map((worker) => world.leave(worker)));
      const experiments = [...calls].flatMap(([name, made]) => made.map((_, call) => ({ name, call })));
      const helper = await world.start('zun-compute');
      const uuids = await prepared(
        world,
        experiments.map(({ name }) => name),
      );
      await world.leave(helper);
      // A call that is caught holds a connection, and one worker has 32.
      const victims = await Promise.all([world.start('zun-compute'), world.start('zun-compute')]);
      world.gate.rule = world.catches.rule;
      const running: Running[] = [];
      for (const [index, { name, call }] of experiments.entries()) {
        const uuid = await works[name].ask(world, uuids[index] ?? '');
        world.catches.plan(uuid, { call });
        running.push({ name, uuid });
      }
      const caughtOrOver = running.map(({ name, uuid }) =>
        Promise.race([world.catches.caught(uuid), until(`${name} of ${uuid} is caught`, () => isOver(uuid), 120_000)]),
      );
      await Promise.all(caughtOrOver);
      await Promise.all(victims.map((victim) => victim.kill()));
      world.catches.letGo();
      workers = await Promise.all([world.start('zun-compute'), world.start('zun-compute')]);
      await finished(world, running);
    });
  });
}

/** Statements of other connections that wait for a table. */
async function waiting({ database }: FaultsWorld): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from information_schema.processlist where state like 'Waiting for table%'`.execute(database.queries);
  return Number(rows[0]?.waiting);
}
