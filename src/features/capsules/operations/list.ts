import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import { listPage } from '../../../api/list-page.ts';
import type { Operation } from '../../../api/operation.ts';
import type { Queries } from '../../../db/database.ts';
import type { PageMarker } from '../../../db/page.ts';
import { containerNotFound } from '../../../errors/catalogue.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import { markerOf, type Scope, sortableColumns } from '../../containers/container-store.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { capsuleOf, listCapsules } from '../capsule-store.ts';
import { capsuleView } from '../capsule-view.ts';

/**
 * Lists capsules with their containers: two queries for the page, two more for a marker. `all_projects` of somebody who is no admin
 * gives the own project's, without a refusal; parameters that are not known are passed over. Origin: capsules.py (_do_get_all).
 */
export function list(services: CapsuleServices): Operation {
  return {
    route: 'GET /v1/capsules',
    async handle(request) {
      const { context, query } = request;
      const { queries } = services.database;
      services.policy.authorize(context, 'capsule:get_all', ownTarget(context));
      const scope: Scope = isAllProjects(query.all_projects) && context.isAdmin ? 'all-projects' : { projectId: context.projectId };
      const { maximumPageSize: maxLimit } = services.settings;
      const { page, marker } = listPage(query, { maxLimit, defaultSortKey: 'id', sortKeys: sortableColumns });
      const pageMarker = marker === null ? null : await capsuleMarker(queries, marker, scope, page.sortKey);
      const found = await listCapsules(queries, scope, page, pageMarker);
      const uuids = found.map(({ capsule }) => capsule.uuid);
      return {
        status: 200,
        body: {
          next: nextLink(request.baseUrl, 'capsules', page, uuids),
          capsules: found.map(capsuleView(services.policy, request, services.clock)),
        },
      };
    },
  };
}

/** Where the page after this capsule begins; 404 for what is no capsule of the scope. */
async function capsuleMarker(queries: Queries, uuid: string, scope: Scope, sortKey: string): Promise<PageMarker> {
  const marker = (await capsuleOf(queries, uuid)) === uuid ? await markerOf(queries, uuid, scope, sortKey) : null;
  if (!marker) throw containerNotFound(uuid);
  return marker;
}
