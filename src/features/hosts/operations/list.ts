import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import { listPage } from '../../../api/list-page.ts';
import type { Operation } from '../../../api/operation.ts';
import { requireSortKey } from '../../../api/require-sort-key.ts';
import { computeNodeNotFound } from '../../../errors/catalogue.ts';
import { type ComputeNodeRow, computeNodeColumns, findComputeNodes, listComputeNodes } from '../compute-node-store.ts';
import type { HostServices } from '../host-services.ts';
import { hostView } from '../host-view.ts';

/** Origin: zun/api/controllers/v1/hosts.py (get_all). */
export function listHosts({ policy, database, maxLimit }: HostServices): Operation {
  const markerOf = async (uuid: string, sortKey: string) => {
    const [row] = await findComputeNodes(database.queries, { uuid });
    if (!row) throw computeNodeNotFound(uuid);
    return { key: row[sortKey as keyof ComputeNodeRow], tie: row.uuid };
  };
  return {
    route: 'GET /v1/hosts',
    async handle({ context, query, baseUrl }) {
      policy.authorize(context, 'host:get_all', ownTarget(context));
      const { page, marker } = listPage(query, { maxLimit, defaultSortKey: 'hostname' });
      const pageMarker = marker === null ? null : await markerOf(marker, page.sortKey);
      requireSortKey(page.sortKey, computeNodeColumns);
      const rows = await listComputeNodes(database.queries, page, pageMarker);
      const uuids = rows.map((row) => row.uuid);
      return { status: 200, body: { hosts: rows.map((row) => hostView(row, baseUrl)), next: nextLink(baseUrl, 'hosts', page, uuids) } };
    },
  };
}
