import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import type { ComponentName } from '../../cluster/components.ts';
import { until } from '../../system/engine/until.ts';
import type { ProgramProcess } from '../../system/programs/program-process.ts';
import { assertAgreement } from './agreement.ts';
import type { Catch } from './caught-calls.ts';
import type { FaultsWorld } from './faults-world.ts';
import { Stock } from './stock.ts';
import { type WorkName, workNames, works } from './works.ts';

/** Work that is under way. */
interface Running {
  name: WorkName;
  uuid: string;
}

/** Asks for each work, and catches each at the call that is told for it. */
async function begun(world: FaultsWorld, stock: Stock, wishes: readonly { name: WorkName; at: Catch }[]): Promise<Running[]> {
  const uuids = await stock.take(wishes.map(({ name }) => name));
  return await asked(world, uuids, wishes);
}

async function asked(world: FaultsWorld, uuids: readonly string[], wishes: readonly { name: WorkName; at: Catch }[]): Promise<Running[]> {
  world.gate.rule = world.catches.rule;
  const running: Running[] = [];
  for (const [index, { name, at }] of wishes.entries()) {
    const before = uuids[index] ?? '';
    if (before !== '') world.catches.plan(before, at);
    const uuid = await works[name].ask(world, before);
    if (before === '') world.catches.plan(uuid, at);
    running.push({ name, uuid });
  }
  return running;
}

/** Holds everything against what it should be. */
async function finished(world: FaultsWorld, stock: Stock, running: readonly Running[]): Promise<void> {
  await world.settled();
  for (const { name, uuid } of running) await stock.give(name, uuid);
  await assertAgreement(world);
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
    let stock: Stock;
    let api: ProgramProcess;
    let workers: ProgramProcess[];
    /** Calls of each work, as made when no worker is late. */
    const calls = new Map<WorkName, readonly string[]>();

    before(async () => {
      world = open();
      stock = new Stock(world);
      api = await world.start('zun-api');
      workers = await Promise.all([world.start('zun-compute'), world.start('zun-compute')]);
    });
    // Whoever leads gives that back.
    after(() => Promise.all([api, ...workers].map((program) => world.leave(program))));

    // Works are caught when they have told their Pods: the cluster is at it, and the worker waits for it.
    const atTheirPods = workNames.map((name) => ({ name, at: { words: name === 'create alone' ? / secrets$/ : / pods$/ } }));
    const allCaught = (running: Running[]) => Promise.all(running.map(({ uuid }) => world.catches.caught(uuid)));
    /** A work that took more calls before, since its worker was late for its lease, is over before it is caught. */
    const isOver = async (uuid: string) => {
      const tasks = world.database.queries.selectFrom('openkeel_task').select('id').where('subject', '=', uuid).execute();
      return (await tasks).length === 0 ? true : null;
    };

    for (const [what, components] of [
      ['the kubelet is', ['kubelet']],
      ['controllers and scheduler are', ['kube-controller-manager', 'kube-scheduler']],
    ] as const)
      test(`${what} killed`, async () => {
        const running = await begun(world, stock, atTheirPods);
        await allCaught(running);
        await killed(world, components, async () => world.catches.letGo());
        await world.settled();
        for (const { name, uuid } of running) calls.set(name, [...world.catches.calls(uuid)]);
        await finished(world, stock, running);
      });

    test('the API server loses its database, and is killed itself', async () => {
      const running = await begun(world, stock, atTheirPods);
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
      await finished(world, stock, running);
    });

    test('zun-api is killed while it writes, and nothing was asked for; it is killed later, and the works go on', async () => {
      const uuids = await stock.take(workNames);
      const { queries } = world.database;
      const before = await queries.selectFrom('container').select('uuid').execute();
      await queries.connection().execute(async (locking) => {
        await sql`lock tables openkeel_task write`.execute(locking);
        try {
          const answers = workNames.map((name, index) => works[name].ask(world, uuids[index] ?? ''));
          const ended = Promise.allSettled(answers);
          const allWait = async () => ((await waiting(world)) >= workNames.length ? true : null);
          const tooSoon = Promise.race(answers).then((uuid) => assert.fail(`${uuid} was not kept waiting`));
          await Promise.race([until('all requests wait for the table', allWait), tooSoon]);
          await api.kill();
          for (const [index, { status }] of (await ended).entries()) assert.equal(status, 'rejected', workNames[index]);
        } finally {
          await sql`unlock tables`.execute(locking);
        }
      });
      api = await world.start('zun-api');
      await assertAgreement(world);
      const names = await queries.selectFrom('container').select('uuid').where('uuid', 'in', uuids).execute();
      assert.equal(names.length, uuids.filter((uuid) => uuid !== '').length);
      assert.equal((await queries.selectFrom('container').select('uuid').execute()).length, before.length);
      // All of it can be asked again, and goes on without it.
      const running = await asked(world, uuids, atTheirPods);
      await allCaught(running);
      await api.kill();
      world.catches.letGo();
      await world.settled();
      api = await world.start('zun-api');
      await finished(world, stock, running);
    });

    test('workers are killed after each call that changes something in the cluster, and others go on', async () => {
      await Promise.all(workers.map((worker) => world.leave(worker)));
      const wishes = [...calls].flatMap(([name, made]) =>
        made.flatMap((words, call) => (works[name].own.test(words) ? [{ name, at: { call } }] : [])),
      );
      const helper = await world.start('zun-compute');
      const uuids = await stock.take(wishes.map(({ name }) => name));
      await world.leave(helper);
      // A call that is caught holds a connection, and one worker has 32.
      const victims = await Promise.all([world.start('zun-compute'), world.start('zun-compute')]);
      const running = await asked(world, uuids, wishes);
      const caughtOrOver = running.map(({ name, uuid }) =>
        Promise.race([world.catches.caught(uuid), until(`${name} of ${uuid} is caught`, () => isOver(uuid), 120_000)]),
      );
      const caught = (await Promise.all(caughtOrOver)).filter((call) => call !== true);
      assert.ok(caught.length > 0, `of ${wishes.length} were caught: ${caught}`);
      await Promise.all(victims.map((victim) => victim.kill()));
      world.catches.letGo();
      workers = await Promise.all([world.start('zun-compute'), world.start('zun-compute')]);
      await finished(world, stock, running);
    });

    test('everything goes, and leaves nothing', () => stock.clear());
  });
}

/** Requests that wait for the table of tasks, or behind one that does, for the lock of their project. */
async function waiting({ database }: FaultsWorld): Promise<number> {
  const { rows } = await sql<{ info: string }>`
    select info from information_schema.processlist where info is not null`.execute(database.queries);
  // Workers ask for tasks that nobody has, and look at subjects.
  const ofRequest =
    /^(insert into `openkeel_task`|update `openkeel_(task|project_lock)`|select `id` from `openkeel_task` where `subject` = '[^']*' and `kind`)/;
  return rows.filter(({ info }) => ofRequest.test(info)).length;
}
