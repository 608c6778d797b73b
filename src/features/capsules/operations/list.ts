import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import { listPage } from '../../../api/list-page.ts';
import type { Operation } from '../../../api/operation.ts';
import { containerNotFound } from '../../../errors/catalogue.ts';
import { isAllProjects } from '../../../rules/all-projects.ts';
import { markerOf, type Scope, sortableColumns } from '../../containers/container-store.ts';
import type { CapsuleServices } from '../capsule-services.ts';
import { listCapsules } from '../capsule-store.ts';
import { capsuleView } from '../capsule-view.ts';

/**
 * Lists capsules with their containers: two queries for the page, one more for a marker. `all_projects` of somebody who is no admin
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
      const pageMarker = marker === null ? null : await markerOf(queries, marker, scope, page.sortKey);
      if (marker !== null && !pageMarker) throw containerNotFound(marker);
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
