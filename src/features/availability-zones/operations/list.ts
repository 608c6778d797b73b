import { ownTarget } from '../../../api/authorizer.ts';
import { nextLink } from '../../../api/links.ts';
import { listPage } from '../../../api/list-page.ts';
import type { Operation } from '../../../api/operation.ts';
import { invalidValue } from '../../../errors/catalogue.ts';
import { listServices, serviceColumns } from '../../services/service-store.ts';
import type { AvailabilityZoneServices } from '../availability-zone-services.ts';

/**
 * The zones that services name, each once, disabled and downed ones too. A page's marker is a zone's name: the original
 * answers 500 to every marker and to every full page. Origin: zun/api/controllers/v1/availability_zone.py (get_all).
 */
export function listAvailabilityZones({ policy, database, maxLimit }: AvailabilityZoneServices): Operation {
  return {
    route: 'GET /v1/availability_zones',
    async handle({ context, query, baseUrl }) {
      policy.authorize(context, 'availability_zones:get_all', ownTarget(context));
      const { page, marker } = listPage(query, { maxLimit, defaultSortKey: 'availability_zone', sortKeys: serviceColumns });
      const rows = await listServices(database.queries, page.sortKey, page.sortDirection);
      const zones = [...new Set(rows.map((row) => row.availability_zone))];
      const start = marker === null ? 0 : zones.indexOf(marker) + 1;
      if (marker !== null && start === 0) throw invalidValue(`There is no availability zone ${marker} to be the marker of a page`);
      const shown = zones.slice(start, start + page.limit);
      const next = nextLink(
        baseUrl,
        'availability_zones',
        page,
        shown.map((zone) => encodeURIComponent(zone ?? '')),
      );
      // A zone without a name can't be a marker.
      const more = shown.at(-1) ? next : null;
      return { status: 200, body: { availability_zones: shown.map((zone) => ({ availability_zone: zone })), next: more } };
    },
  };
}
