import type { Operation } from '../../../api/operation.ts';
import { legacyNetworkList, networkList as networksByPort } from '../../../rules/network-list-format.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadContainer } from '../load-container.ts';
import { shownAddresses } from '../observed-addresses.ts';

/** A container's networks, from its row. No policy beyond whose container it is. Origin: containers.py (network_list). */
export function networkList(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/network_list',
    async handle(request) {
      const { container } = await loadContainer(services, request);
      const addresses = shownAddresses(container.addresses) ?? {};
      return { status: 200, body: { networks: request.version >= 18 ? networksByPort(addresses) : legacyNetworkList(addresses) } };
    },
  };
}
