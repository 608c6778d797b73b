import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import type { ApiRequest, Operation } from '../../../api/operation.ts';
import type { Page, PageMarker } from '../../../db/page.ts';
import { containerNotFound, invalidParameterValue, invalidValue } from '../../../errors/catalogue.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import { listLimit } from '../../../rules/list-limit.ts';
import { sortDirection } from '../../../rules/sort-direction.ts';
import type { ContainerServices } from '../container-services.ts';
import { type ContainerFilters, listContainers, markerOf, type Scope, sortableColumns } from '../container-store.ts';
import { containerView } from '../container-view.ts';

const filterNames = ['name', 'image', 'project_id', 'user_id', 'memory', 'host', 'task_state', 'status', 'auto_remove'] as const;

/** Lists containers, newest last: one query for the page, one more for a marker. Origin: containers.py (get_all). */
export function list(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers',
    async handle(request) {
      const { context } = request;
      services.policy.authorize(context, 'container:get_all', ownTarget(context));
      const { all_projects: _, ...rest } = request.params;
      const allProjects = isAllProjects(request.params.all_projects as string | undefined);
      if (allProjects) services.policy.authorize(context, 'container:get_all_all_projects', ownTarget(context));
      const scope: Scope = allProjects && context.isAdmin ? 'all-projects' : { projectId: context.projectId };
      const { limit, sort_dir, sort_key, resource_url: _url, expand: _expand, marker, ...others } = rest;
      const page: Page = { limit: listLimit(limit as string | undefined, services.settings.maximumPageSize), sortDirection: sortDirection((sort_dir as string | undefined) ?? 'asc'), sortKey: String(sort_key ?? 'id') };
      const filters = takeFilters(services, request, others);
      const pageMarker = marker ? await findMarker(services, scope, page, String(marker)) : null;
      if (Object.keys(others).length > 0) throw invalidValue(`Unknown parameters: ${Object.keys(others).join(', ')}`);
      if (!sortableColumns.has(page.sortKey)) {
        throw invalidParameterValue(`The sort_key value "${page.sortKey}" is an invalid field for sorting`);
      }
      const found = await listContainers(services.database.queries, scope, filters, page, pageMarker);
      const view = containerView(services.policy, request, services.clock);
      return {
        status: 200,
        body: {
          next: nextLink(request.baseUrl, 'containers', page, found.map(({ container }) => container.uuid)),
          containers: found.map(({ container, registryUuid }) => view(container, registryUuid)),
        },
      };
    },
  };
}

/** Moves the filters out of the parameters; each needs the right to see its field. */
function takeFilters(services: ContainerServices, request: ApiRequest, params: Record<string, unknown>): ContainerFilters {
  const { context } = request;
  const filters: ContainerFilters = {};
  for (const name of filterNames) {
    if (!Object.hasOwn(params, name)) continue;
    const rule = `container:get_one:${name}`;
    if (!services.policy.allows(context, rule, ownTarget(context), { mightNotExist: true })) services.policy.authorize(context, rule, ownTarget(context));
    const value = params[name] as string | string[];
    delete params[name];
    filters[name] = name === 'auto_remove' ? booleanFromString(String(value), 'auto_remove') : value;
  }
  return filters;
}

async function findMarker(services: ContainerServices, scope: Scope, page: Page, uuid: string): Promise<PageMarker> {
  const marker = await markerOf(services.database.queries, uuid, scope, page.sortKey);
  if (!marker) throw containerNotFound(uuid);
  return marker;
}
