import type { RequestContext } from '../../../src/api/request-context.ts';
import { networkNotFound, portNotFound } from '../../../src/errors/catalogue.ts';
import { type NetRequest, requestedNetworks } from '../../../src/features/containers/requested-networks.ts';
import { requireExternalAllowed } from '../../../src/features/containers/require-external-allowed.ts';
import type { Networking } from '../../../src/networking/networking.ts';
import { availableNetwork, type NeutronNetwork } from '../../../src/rules/available-network.ts';
import { neutronPortRequest, portAddresses } from '../../../src/rules/neutron-port-request.ts';
import { type NeutronPort, requireUsablePort } from '../../../src/rules/require-usable-port.ts';
import { callerContext } from '../../contract/operation-caller.ts';
import { partialPort } from '../world.ts';
import { family, type VectorFamily } from './vector-family.ts';

/** Rules of networks and ports. */
export const networkFamilies: Record<string, VectorFamily> = {
  get_available_network: family<NeutronNetwork[]>((networks) => availableNetwork(networks, 'p').id),
  ensure_neutron_port_usable: family<NeutronPort>((port) => requireUsablePort(port, 'proj') ?? null),
  create_or_update_port: family<PortInput>(({ requested_network: wish, ...given }, { $tables }) => {
    const { container, network, project } = $tables as PortTables;
    const request = neutronPortRequest({
      containerUuid: container.uuid,
      projectId: project,
      networkId: network,
      portId: wish.port || null,
      fixedIp: wish.fixed_ip || null,
      securityGroups: given.security_groups,
      binding: given.set_binding_host ? { host: container.host, deviceOwner: 'compute:zun' } : null,
    });
    return { sent: { ...request, admin: true }, out: portAddresses(given.neutron_port, wish.preserve_on_delete) };
  }),
  build_requested_networks: family<{ nets: NetRequest[]; may_attach_external: boolean }>(
    async ({ nets, may_attach_external: mayAttach }, { $tables }) => {
      const tables = $tables as Tables;
      const context: RequestContext = { ...callerContext('demo'), projectId: 'proj' };
      const requested = await requestedNetworks(networkingOf(tables), context, nets);
      requireExternalAllowed({ authorize: () => {}, allows: () => mayAttach }, context, requested);
      return requested.map(({ networkId, portId, fixedIpv4, fixedIpv6, preserveOnDelete }) => {
        const { 'router:external': external, shared } = networkBy(tables, networkId);
        const address = fixedIpv4 ?? fixedIpv6 ?? '';
        return {
          network: networkId,
          port: portId ?? '',
          'router:external': external,
          shared,
          fixed_ip: address,
          preserve_on_delete: preserveOnDelete,
        };
      });
    },
  ),
};

interface PortInput {
  requested_network: { port: string; fixed_ip: string; preserve_on_delete: boolean };
  security_groups: string[] | null;
  set_binding_host: boolean;
  neutron_port: { id: string; fixed_ips: { ip_address: string; subnet_id: string }[] };
}

interface PortTables {
  container: { uuid: string; host: string };
  network: string;
  project: string;
}

interface Tables {
  networks: Record<string, { id: string; 'router:external': boolean; shared: boolean }>;
  ports: Record<string, { id: string; network_id: string }>;
  available: string;
}

/** By the name asked for, or the id. */
function networkBy({ networks }: Tables, ident: string): Tables['networks'][string] {
  const network = networks[ident] ?? Object.values(networks).find(({ id }) => id === ident);
  if (!network) throw networkNotFound(ident);
  return network;
}

function networkingOf(tables: Tables): Networking {
  const network = (ident: string, id: string) => {
    const { 'router:external': external, shared } = networkBy(tables, ident);
    return { id, name: ident, external, shared, subnets: [] };
  };
  return partialPort<Networking>('networking', {
    findNetwork: async (ident) => network(ident, networkBy(tables, ident).id),
    defaultNetwork: async () => network(tables.available, networkBy(tables, tables.available).id),
    findPort: async (ident) => {
      const port = tables.ports[ident];
      if (!port) throw portNotFound(ident);
      return { id: port.id, networkId: port.network_id, macAddress: null, fixedIps: [], containerUuid: '', securityGroups: [] };
    },
  });
}
