import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import { listPage } from '../../../api/list-page.ts';
import type { ApiRequest, Operation } from '../../../api/operation.ts';
import { requireSortKey } from '../../../api/require-sort-key.ts';
import { containerNotFound, invalidValue } from '../../../errors/catalogue.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import type { ContainerServices } from '../container-services.ts';
import { type ContainerFilters, listContainers, markerOf, type Scope, sortableColumns } from '../container-store.ts';
import { containerView } from '../container-view.ts';

const filterNames = ['name', 'image', 'project_id', 'user_id', 'memory', 'host', 'task_state', 'status', 'auto_remove'] as const;
const otherNames = new Set(['all_projects', 'limit', 'sort_dir', 'sort_key', 'marker', 'resource_url', 'expand']);

/** Lists containers in the order they were made: one query for the page, one more for a marker. Origin: containers.py (get_all). */
export function list(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers',
    async handle(request) {
      const { context, query } = request;
      const { queries } = services.database;
      services.policy.authorize(context, 'container:get_all', ownTarget(context));
      const allProjects = isAllProjects(query.all_projects);
      if (allProjects) services.policy.authorize(context, 'container:get_all_all_projects', ownTarget(context));
      const scope: Scope = allProjects && context.isAdmin ? 'all-projects' : { projectId: context.projectId };
      const { maximumPageSize: maxLimit } = services.settings;
      const { page, marker } = listPage(query, { maxLimit, defaultSortKey: 'id' });
      const filters = requestedFilters(services, request);
      const pageMarker = marker === null ? null : await markerOf(queries, marker, scope, page.sortKey);
      if (marker !== null && !pageMarker) throw containerNotFound(marker);
      const unknown = Object.keys(query).filter((name) => !otherNames.has(name) && !(name in filters));
      if (unknown.length > 0) throw invalidValue(`Unknown parameters: ${unknown.join(', ')}`);
      requireSortKey(page.sortKey, sortableColumns);
      const found = await listContainers(queries, scope, filters, page, pageMarker);
      const uuids = found.map(({ container }) => container.uuid);
      // Only who names a `resource_url` gets links, and they begin with it.
      const resourceUrl = typeof query.resource_url === 'string' && query.resource_url !== '' ? query.resource_url : null;
      const view = containerView(services.policy, request, services.clock, resourceUrl);
      return {
        status: 200,
        body: {
          next: nextLink(request.baseUrl, resourceUrl ?? 'containers', page, uuids),
          containers: found.map(({ container, registryUuid }) => view(container, registryUuid)),
        },
      };
    },
  };
}

/** The filters of a request; each needs the right to see its field. */
function requestedFilters(services: ContainerServices, { context, query }: ApiRequest): ContainerFilters {
  const filters: ContainerFilters = {};
  for (const name of filterNames) {
    const value = query[name];
    if (value === undefined) continue;
    const rule = `container:get_one:${name}`;
    const target = ownTarget(context);
    if (!services.policy.allows(context, rule, target, { mightNotExist: true })) services.policy.authorize(context, rule, target);
    // The original hands the text of a flag to the database, where `true` matches nothing.
    filters[name] = name === 'auto_remove' ? booleanFromString(value, 'auto_remove') : value;
  }
  return filters;
}
