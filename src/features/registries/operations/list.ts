import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import { listPage } from '../../../api/list-page.ts';
import type { ApiRequest, Operation } from '../../../api/operation.ts';
import type { PageMarker } from '../../../db/page.ts';
import { invalidValue, registryNotFound } from '../../../errors/catalogue.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import type { RegistryServices } from '../registry-services.ts';
import {
  findRegistries,
  listRegistries,
  type RegistryFilters,
  type RegistryScope,
  registryColumns,
  registryFilters,
} from '../registry-store.ts';
import { registryView } from '../registry-view.ts';

const pageParameters = new Set(['all_projects', 'limit', 'sort_dir', 'sort_key', 'marker', 'resource_url']);

/** Entries of a list carry no links, as in the original. Origin: zun/api/controllers/v1/registries.py (get_all). */
export function listRegistriesOperation(services: RegistryServices): Operation {
  const { policy, database, maxLimit } = services;
  return {
    route: 'GET /v1/registries',
    async handle(request) {
      const { context, baseUrl } = request;
      policy.authorize(context, 'registry:get_all', ownTarget(context));
      const scope = scopeOf(services, request);
      const { page, marker } = listPage(request.query, { maxLimit, defaultSortKey: 'id', sortKeys: registryColumns });
      const filters = filtersOf(services, request);
      const rows = await listRegistries(
        database.queries,
        scope,
        filters,
        page,
        marker === null ? null : await markerOf(services, marker, scope, page.sortKey),
      );
      const next = nextLink(
        baseUrl,
        'registries',
        page,
        rows.map((row) => row.uuid ?? ''),
      );
      return { status: 200, body: { registries: rows.map(registryView(policy, context, null)), next } };
    },
  };
}

function scopeOf({ policy }: RegistryServices, { context, query }: ApiRequest): RegistryScope {
  const asked = query.all_projects;
  if (!isAllProjects(asked)) return { projectId: context.projectId };
  policy.authorize(context, 'registry:get_all_all_projects', ownTarget(context));
  // The rule may let others ask, but only an admin's context reads other projects. Origin: _add_project_filters.
  return context.isAdmin ? 'all-projects' : { projectId: context.projectId };
}

function filtersOf({ policy }: RegistryServices, { context, query }: ApiRequest): RegistryFilters {
  const filters: RegistryFilters = {};
  for (const name of registryFilters) {
    const value = query[name];
    if (value === undefined) continue;
    if (!policy.allows(context, `registry:get_one:${name}`, ownTarget(context), { mightNotExist: true })) {
      policy.authorize(context, `registry:get_one:${name}`, ownTarget(context));
    }
    filters[name] = value;
  }
  const unknown = Object.keys(query).filter((name) => !pageParameters.has(name) && !(registryFilters as readonly string[]).includes(name));
  if (unknown.length > 0) throw invalidValue(`Unknown parameters: ${unknown.join(', ')}`);
  return filters;
}

async function markerOf({ database }: RegistryServices, uuid: string, scope: RegistryScope, sortKey: string): Promise<PageMarker> {
  const [row] = await findRegistries(database.queries, { uuid }, scope);
  if (!row) throw registryNotFound(uuid);
  return { key: row[sortKey as keyof typeof row], tie: row.id };
}
