import type { Selectable } from 'kysely';
import type { Schema } from '../../src/db/schema.generated.ts';
import { containersOfHost } from '../../src/features/containers/container-store.ts';
import type { ZunCore } from '../../src/programs/zun-core.ts';
import { RuntimeFault } from '../../src/runtime/runtime-fault.ts';
import { type StateSync, startStateSync } from '../../src/sync/state-sync.ts';
import type { Saga, Step } from '../../src/tasks/saga.ts';
import type { Task } from '../../src/tasks/task.ts';
import type { Plant, ProcessParts } from './simulated-process.ts';

/** One bug, as somebody might make it, and what the simulation says of it. */
export interface PlantedBug {
  name: string;
  plant: Plant;
  finds: RegExp;
  /** Where it shows itself: see `SimulationOptions`. */
  skewSeconds?: number;
}

/** A saga of one kind made otherwise, in every process. */
function changed(kind: string, change: (saga: Saga) => Saga): Plant {
  return {
    core({ sagas }) {
      const saga = sagas.get(kind);
      if (saga) (sagas as Map<string, Saga>).set(kind, change(saga));
    },
  };
}

const withoutStep = (saga: Saga, name: string): Saga => ({ ...saga, steps: saga.steps.filter((step) => step.name !== name) });
const withoutUndo = (saga: Saga, name: string): Saga => ({
  ...saga,
  steps: saga.steps.map((step) => (step.name === name ? { name, run: step.run } : step)),
});

/** A step that is refused every other time. */
const refusing = (step: Step, { ids }: ProcessParts): Step => ({
  ...step,
  async run(context) {
    if (ids.below(2) === 0) throw new RuntimeFault('failed', `the simulation refuses '${step.name}'`);
    await step.run(context);
  },
});

/** An undo that is not made. A later step, `refused`, sees to it that it is missed in the first runs, not where mishaps happen to meet. */
const forgetful = (kind: string, undo: string, refused: string): Plant => ({
  core({ sagas }, parts) {
    const saga = sagas.get(kind);
    if (!saga) return;
    const steps = withoutUndo(saga, undo).steps.map((step) => (step.name === refused ? refusing(step, parts) : step));
    (sagas as Map<string, Saga>).set(kind, { ...saga, steps });
  },
});

/** Every kind of bug that the invariants are there for. */
export const plantedBugs: PlantedBug[] = [
  {
    name: 'a worker that skips the fence',
    plant: {
      core({ services: { tasks } }, { database }) {
        tasks.write = (_task, closure) => database.transaction(closure);
        tasks.saveProgress = async () => {};
        tasks.renew = async () => {};
      },
    },
    finds: /writes for task #\d+ with attempt|two hands/,
    skewSeconds: 90,
  },
  {
    name: 'a claim that looks first and takes afterwards',
    plant: {
      core({ services: { tasks } }, { database, clock }) {
        const claim = tasks.claim.bind(tasks);
        tasks.claim = async (owner) => {
          const row = await database.queries
            .selectFrom('openkeel_task')
            .selectAll()
            .where('claimable_at', '<=', clock.now())
            .executeTakeFirst();
          if (!row) return claim(owner);
          const attempt = row.attempt + 1;
          await clock.sleep(1);
          const set = { state: 'running', attempt, lease_owner: owner, claimable_at: clock.now() + 30_000 };
          await database.queries.updateTable('openkeel_task').set(set).where('id', '=', row.id).execute();
          return { ...taskOf(row), attempt };
        };
      },
    },
    finds: /in two hands|two tasks of/,
  },
  {
    name: 'an undo that forgets the port',
    plant: forgetful('container.create', 'prepare ports', 'start workload'),
    finds: /was never made, and holds ports/,
  },
  {
    name: 'an undo that forgets the claim',
    plant: forgetful('container.create', 'hold claims', 'create workload'),
    finds: /was never made, and holds a claim/,
  },
  {
    name: 'an undo that forgets the port of an attach',
    plant: forgetful('container.network_attach', 'prepare port', 'connect'),
    finds: /holds ports that it does not show|the port .* is nobody's/,
  },
  {
    name: 'an undo that forgets the volume',
    plant: forgetful('container.create', 'create volumes', 'create workload'),
    finds: /the volume .* is still there/,
  },
  {
    name: 'a delete that forgets the workload',
    plant: changed('container.delete', (saga) => withoutStep(saga, 'remove workload')),
    finds: /the workload .* is nobody's/,
  },
  {
    name: 'a delete that forgets the attachment',
    plant: changed('container.delete', (saga) => withoutStep(saga, 'detach volumes')),
    finds: /an attachment of .* is (nobody's|still there)/,
  },
  {
    name: 'a failure that tells the row nothing',
    plant: changed('container.create', (saga) => ({ ...saga, failed: async () => {} })),
    finds: /nobody is at work on it|a task state without a task/,
  },
  {
    name: 'an action that is never closed',
    plant: {
      core({ services: { actions } }) {
        actions.finish = async () => {};
      },
    },
    finds: /the action .* is open/,
  },
  {
    name: 'a sync that deletes on an empty list',
    plant: { sync: deletingSync },
    finds: /the workload .* is nobody's/,
  },
  {
    name: 'quotas that one API does not know',
    plant: {
      core({ services: { settings } }) {
        settings.quotaDefaults = { containers: -1, cpu: -1, memory: -1, disk: -1 };
      },
    },
    finds: /uses \d+ of \d+ /,
  },
  {
    name: 'a workload that is made on another node than its row says',
    plant: {
      parts(parts) {
        const create: ProcessParts['runtime']['create'] = (spec) => parts.ownEngine.create(spec);
        parts.runtime = Object.assign(Object.create(parts.runtime), { create });
      },
    },
    finds: /its row says/,
  },
  {
    name: 'a list from a cache',
    plant: { core: cacheLists },
    finds: /the list says|is not in the list/,
  },
];

/** Takes a container for deleted that a listing does not have, and believes an empty one, as an engine gives that has just started. */
function deletingSync({ services }: ZunCore, { host, database, runtime, clock, ids }: ProcessParts): StateSync {
  const list: ProcessParts['runtime']['list'] = async (signal) => (ids.below(4) === 0 ? [] : runtime.list(signal));
  return startStateSync({
    runtime: Object.assign(Object.create(runtime), { list }),
    async differing(observations) {
      const here = new Set(observations.map(({ uuid }) => uuid));
      for (const { uuid } of await containersOfHost(database.queries, host, { status: 'Running' }))
        if (!here.has(uuid)) await database.queries.deleteFrom('container').where('uuid', '=', uuid).execute();
      return [];
    },
    reconcile: async () => 'settled',
    clock,
    logger: services.logger,
    listInterval: 30_000,
  });
}

function cacheLists({ server }: ZunCore, { roles }: ProcessParts): void {
  if (!roles.has('auditor')) return;
  const inject = server.inject.bind(server) as (options: { url: string }) => Promise<unknown>;
  const lists = new Map<string, Promise<unknown>>();
  const cached = (options: { url: string }) => {
    if (!/^\/v1\/\w+\?/.test(options.url)) return inject(options);
    const answer = lists.get(options.url) ?? inject(options);
    lists.set(options.url, answer);
    return answer;
  };
  Object.assign(server, { inject: cached });
}

function taskOf(row: Selectable<Schema['openkeel_task']>): Task {
  const { id, uuid, kind, subject, attempt } = row;
  const { project_id: projectId, request_id: requestId, action_id: actionId } = row;
  const [payload, progress] = [JSON.parse(row.payload), JSON.parse(row.progress)];
  const [deadline, createdAt] = [Number(row.deadline), Number(row.created_at)];
  return {
    id,
    uuid,
    kind,
    subject,
    attempt,
    projectId,
    requestId,
    actionId,
    payload,
    progress,
    deadline,
    createdAt,
    cancelled: Boolean(row.cancelled),
  };
}
