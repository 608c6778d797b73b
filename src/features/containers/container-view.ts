import type { Authorizer } from '../../api/authorizer.ts';
import { ownTarget } from '../../api/authorizer.ts';
import { resourceLinks } from '../../api/links.ts';
import type { RequestContext } from '../../api/request-context.ts';
import { statusDetailNow } from '../../sync/status-detail.ts';
import type { Clock } from '../../telemetry/clock.ts';
import { viewTime } from '../../telemetry/view-time.ts';
import type { Container } from './container.ts';
import { shownAddresses } from './observed-addresses.ts';

/** A field of the answer and how it comes from the row. The order is the original's. */
const fields: readonly [string, (container: Container, registryUuid: string | null, now: number) => unknown][] = [
  ['name', (c) => c.name],
  ['project_id', (c) => c.projectId],
  ['user_id', (c) => c.userId],
  ['image', (c) => c.image],
  ['cpu', (c) => c.cpu],
  ['cpu_policy', (c) => c.cpuPolicy],
  ['memory', (c) => c.memory],
  ['command', (c) => c.command],
  ['status', (c) => c.status],
  ['status_reason', (c) => c.statusReason],
  ['task_state', (c) => c.taskState],
  ['environment', (c) => c.environment],
  ['workdir', (c) => c.workdir],
  ['auto_remove', (c) => c.autoRemove],
  ['ports', (c) => c.ports],
  ['hostname', (c) => c.hostname],
  ['labels', (c) => c.labels],
  ['addresses', (c) => shownAddresses(c.addresses)],
  ['image_pull_policy', (c) => c.imagePullPolicy],
  ['host', (c) => c.host],
  ['restart_policy', (c) => c.restartPolicy],
  ['status_detail', (c, _, now) => statusDetailNow(c.statusDetail, now)],
  ['interactive', (c) => c.interactive],
  ['tty', (c) => c.tty],
  ['image_driver', (c) => c.imageDriver],
  ['security_groups', (c) => c.securityGroups],
  ['runtime', (c) => c.runtime],
  ['disk', (c) => c.disk],
  ['auto_heal', (c) => c.autoHeal],
  ['privileged', (c) => c.privileged],
  ['healthcheck', (c) => c.healthcheck],
  ['registry_id', (_, registryUuid) => registryUuid],
  ['entrypoint', (c) => c.entrypoint],
  ['created_at', (c) => viewTime(c.createdAt)],
  ['updated_at', (c) => viewTime(c.updatedAt)],
];

/**
 * Makes the view of containers for one request: which fields the caller sees is decided once, not once a row.
 * `linksFrom` is what its links begin with; `null` = it has none.
 * Origin: zun/api/controllers/v1/views/containers_view.py.
 */
export function containerView(
  authorizer: Authorizer,
  request: { context: RequestContext; baseUrl: string },
  clock: Clock,
  linksFrom: string | null = request.baseUrl,
): (container: Container, registryUuid: string | null) => Record<string, unknown> {
  const { context } = request;
  const target = ownTarget(context);
  const sees = (field: string) => authorizer.allows(context, `container:get_one:${field}`, target, { mightNotExist: true });
  const seesUuid = sees('uuid');
  const now = clock.now();
  const visible = fields.filter(([field]) => sees(field));
  return (container, registryUuid) => {
    const view: Record<string, unknown> = seesUuid ? { uuid: container.uuid } : {};
    if (seesUuid && linksFrom !== null) view.links = resourceLinks(linksFrom, 'containers', container.uuid);
    for (const [field, read] of visible) view[field] = read(container, registryUuid, now);
    return view;
  };
}
