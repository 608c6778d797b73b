import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { computeNodeNotFound, conflict } from '../../../errors/catalogue.ts';
import { isUuidLike } from '../../../rules/uuid-like.ts';
import { findComputeNodes } from '../compute-node-store.ts';
import type { HostServices } from '../host-services.ts';
import { hostView } from '../host-view.ts';

/** Origin: zun/api/controllers/v1/hosts.py (get_one). */
export function showHost({ policy, database }: HostServices): Operation {
  return {
    route: 'GET /v1/hosts/{host_ident}',
    async handle({ context, path, baseUrl }) {
      policy.authorize(context, 'host:get', ownTarget(context));
      const ident = path.host_ident ?? '';
      const found = await findComputeNodes(database.queries, isUuidLike(ident) ? { uuid: ident } : { hostname: ident });
      if (found.length > 1) throw conflict('Multiple compute nodes exist with same hostname. Please use the uuid instead.');
      const [row] = found;
      if (!row) throw computeNodeNotFound(ident);
      return { status: 200, body: hostView(row, baseUrl) };
    },
  };
}
