import { type Authorizer, ownTarget } from '../../api/authorizer.ts';
import { resourceLinks } from '../../api/links.ts';
import type { ApiRequest } from '../../api/operation.ts';
import type { Clock } from '../../telemetry/clock.ts';
import { viewTime } from '../../telemetry/view-time.ts';
import { containerView } from '../containers/container-view.ts';
import { shownAddresses } from '../containers/observed-addresses.ts';
import type { Capsule, WholeCapsule } from './capsule.ts';

/** From this minor version on a capsule has the names and shapes of a container; before, some of its own. */
const newShapeSince = 32;

/** A field of the answer and how it comes from the row. */
const fields: readonly [string, (capsule: Capsule) => unknown][] = [
  ['name', (c) => c.name],
  ['project_id', (c) => c.projectId],
  ['user_id', (c) => c.userId],
  ['cpu', (c) => c.cpu],
  ['memory', (c) => c.memory],
  ['status', (c) => c.status],
  ['status_reason', (c) => c.statusReason],
  ['labels', (c) => c.labels],
  ['addresses', (c) => shownAddresses(c.addresses)],
  ['restart_policy', (c) => c.restartPolicy],
  ['annotations', (c) => c.annotations],
  ['host', (c) => c.host],
  ['created_at', (c) => viewTime(c.createdAt)],
  ['updated_at', (c) => viewTime(c.updatedAt)],
];

/** What answers before 1.32 hold beside the uuid, empty in the original too. */
const oldMembers = { volumes_info: {}, containers_uuids: [], init_containers_uuids: [], capsule_version: '' };
const oldNames: Record<string, string> = { name: 'meta_name', labels: 'meta_labels' };

/**
 * Makes the view of capsules for one request: which fields the caller sees is decided once, not once a row.
 * Origin: zun/api/controllers/v1/views/capsules_view.py.
 */
export function capsuleView(
  authorizer: Authorizer,
  request: Pick<ApiRequest, 'context' | 'baseUrl' | 'version'>,
  clock: Clock,
): (whole: WholeCapsule) => Record<string, unknown> {
  const target = ownTarget(request.context);
  const sees = (field: string) => authorizer.allows(request.context, `capsule:get:${field}`, target, { mightNotExist: true });
  const old = request.version < newShapeSince;
  const visible = fields.filter(([field]) => sees(field));
  const [seesUuid, seesInit, seesContainers] = ['uuid', 'init_containers', 'containers'].map(sees);
  const member = containerView(authorizer, request, clock);
  return ({ capsule, initContainers, containers }) => {
    const view: Record<string, unknown> = seesUuid
      ? { uuid: capsule.uuid, links: resourceLinks(request.baseUrl, 'capsules', capsule.uuid), ...(old ? oldMembers : {}) }
      : {};
    for (const [field, read] of visible) view[old ? (oldNames[field] ?? field) : field] = read(capsule);
    if (old && 'restart_policy' in view) replaceByName(view, capsule);
    // No links: a capsule's containers are not to be had one by one.
    const memberViews = (list: typeof containers) => list.map((container) => withoutLinks(member(container, null)));
    if (seesContainers) view.containers = memberViews(containers);
    if (seesInit) view.init_containers = memberViews(initContainers);
    return view;
  };
}

function replaceByName(view: Record<string, unknown>, { restartPolicy }: Capsule): void {
  if (restartPolicy?.Name === undefined) delete view.restart_policy;
  else view.restart_policy = restartPolicy.Name;
}

function withoutLinks({ links: _, ...view }: Record<string, unknown>): Record<string, unknown> {
  return view;
}
