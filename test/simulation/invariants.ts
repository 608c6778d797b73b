import { defaultLimits } from './simulated-process.ts';
import type { Snapshot, SnapshotRow } from './snapshot.ts';

/** `contract/vectors/valid_states.json`, statuses. */
const statuses = new Set([
  'Error',
  'Running',
  'Stopped',
  'Paused',
  'Unknown',
  'Creating',
  'Created',
  'Deleted',
  'Deleting',
  'Rebuilding',
  'Dead',
  'Restarting',
]);

/** Statuses in which somebody is at work: never without a task. */
const underWay = new Set(['Creating', 'Deleting', 'Rebuilding']);

/** So long after its deadline a task may still undo what it did: see `undoGraceMilliseconds`, and a lease and a clock that is off. */
const undoGrace = (10 + 1 + 4) * 60_000;

/** What holds at every moment, whatever happens. Answers what does not. */
export function violationsOf(now: Snapshot, before: Snapshot | null, time: number): string[] {
  return [
    ...taskViolations(now, time),
    ...[...now.rows.values()].flatMap((row) => rowViolations(row, now, before?.rows.get(row.uuid))),
    ...ownerViolations(now),
    ...quotaViolations(now, before),
  ];
}

function taskViolations({ tasks }: Snapshot, time: number): string[] {
  const running = tasks.filter(({ state }) => state === 'running').map(({ subject }) => subject);
  return [
    ...running.filter((subject, index) => running.indexOf(subject) !== index).map((subject) => `two tasks of ${subject} run at a time`),
    ...tasks.filter(({ deadline }) => time > deadline + undoGrace).map(({ id, kind }) => `${kind} #${id} does not end`),
  ];
}

function rowViolations(row: SnapshotRow, { tasks }: Snapshot, before: SnapshotRow | undefined): string[] {
  const about = `${row.uuid} (type ${row.type}, ${row.status}, ${row.taskState})`;
  const has = tasks.some(({ subject }) => subject === row.subject);
  const isMember = row.type > 1;
  return [
    ...(statuses.has(row.status) ? [] : [`${about}: no such status`]),
    ...(row.taskState !== null && !has ? [`${about}: a task state without a task`] : []),
    ...(underWay.has(row.status) && !isMember && !has ? [`${about}: nobody is at work on it`] : []),
    ...(row.status === 'Creating' && before && before.status !== 'Creating' ? [`${about}: it was ${before.status} before`] : []),
    ...(['Error', 'Unknown'].includes(row.status) && !isMember && !row.statusReason ? [`${about}: no reason`] : []),
  ];
}

function ownerViolations({ rows, ports, attachments, workloads, tasks }: Snapshot): string[] {
  const isOwned = (uuid: string) => rows.has(uuid) || tasks.some(({ subject }) => subject === uuid);
  const places = workloads.map(({ workload }) => workload.uuid);
  return [
    ...places.filter((uuid) => !isOwned(uuid)).map((uuid) => `the workload ${uuid} is nobody's`),
    ...places.filter((uuid, index) => places.indexOf(uuid) !== index).map((uuid) => `the container ${uuid} has two workloads`),
    ...workloads.flatMap(({ node, workload: { uuid } }) => {
      const host = rows.get(uuid)?.host;
      return host === undefined || host === null || host === node ? [] : [`the workload ${uuid} is on ${node}, its row says ${host}`];
    }),
    ...[...ports].flatMap(([id, holder]) => (holder === '' || isOwned(holder) ? [] : [`the port ${id} of ${holder} is nobody's`])),
    ...attachments.filter((holder) => !isOwned(holder)).map((holder) => `an attachment of ${holder} is nobody's`),
  ];
}

type Usage = Record<string, number>;

/** A limit that was lowered may be exceeded by what is there already, not by more. */
function quotaViolations(now: Snapshot, before: Snapshot | null): string[] {
  const projects = new Set([...now.rows.values()].map(({ project }) => project));
  return [...projects].flatMap((project) => {
    const limits: Usage = { ...defaultLimits, ...now.quotas.get(project) };
    const last = JSON.stringify(before?.quotas.get(project));
    if (last !== JSON.stringify(now.quotas.get(project))) return [];
    const used = usageOf(now, project);
    const was: Usage = before ? usageOf(before, project) : {};
    return Object.entries(limits).flatMap(([resource, limit]) => {
      const amount = used[resource] ?? 0;
      const grew = amount > (was[resource] ?? 0);
      return limit >= 0 && amount > limit && grew ? [`${project} uses ${amount} of ${limit} ${resource}`] : [];
    });
  });
}

function usageOf({ rows }: Snapshot, project: string): Usage {
  const own = [...rows.values()].filter((row) => row.project === project && row.type < 2);
  const sum = (of: (row: SnapshotRow) => number) => own.reduce((total, row) => total + of(row), 0);
  return { containers: own.length, cpu: sum(({ cpu }) => cpu), memory: sum(({ memory }) => memory), disk: sum(({ disk }) => disk) };
}
