import type { Operation } from '../../api/operation.ts';
import type { HostServices } from './host-services.ts';
import { listHosts } from './operations/list.ts';
import { showHost } from './operations/show.ts';

/** The operations of `/v1/hosts`. */
export function hostsOperations(services: HostServices): Operation[] {
  return [listHosts(services), showHost(services)];
}
