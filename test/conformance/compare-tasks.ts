import type { Difference } from './outcome.ts';
import type { RecordedCall } from './record.ts';
import type { TableRow } from './replay-database.ts';

/**
 * The tasks that stand for the messages which the original cast to its nodes, by the message's name. A delete that stops first is one
 * task here and two messages there.
 */
const taskKinds: Record<string, string> = {
  container_create: 'container.create',
  container_delete: 'container.delete',
  container_start: 'container.start',
  container_stop: 'container.stop',
  container_rebuild: 'container.rebuild',
  container_kill: 'container.kill',
  container_reboot: 'container.reboot',
  container_pause: 'container.pause',
  container_unpause: 'container.unpause',
  resize_container: 'container.resize',
  network_attach: 'container.network_attach',
  network_detach: 'container.network_detach',
  add_security_group: 'container.add_security_group',
  remove_security_group: 'container.remove_security_group',
  container_commit: 'container.commit',
  image_pull: 'image.pull',
};

/** What the original waits for, and a task does here. */
const waitedFor = new Set(['container_commit']);

/** What the request itself does here. */
const doneAtOnce = new Set(['image_delete']);

function taskKind({ method, args }: RecordedCall): string {
  const kind = taskKinds[method] ?? method;
  const isOfCapsule = (args.container as { $ref?: string } | undefined)?.$ref === 'Capsule';
  return isOfCapsule ? kind.replace('container.', 'capsule.') : kind;
}

/** Compares the work that a request left for a node: which, and on what. */
export function compareTasks(calls: RecordedCall[], tasks: TableRow[]): Difference[] {
  const casts = calls.filter(({ kind, method }) => (kind === 'cast' && !doneAtOnce.has(method)) || waitedFor.has(method));
  const expected = casts.map(taskKind).sort();
  const actual = tasks.map(({ kind }) => String(kind)).sort();
  return expected.join() === actual.join() ? [] : [{ place: 'tasks', expected, actual }];
}
