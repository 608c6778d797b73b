import { conflict, invalidValue, networkNotFound, portInUse, portNotFound, portNotUsable } from '../../src/errors/catalogue.ts';
import type { Network, Networking, Port } from '../../src/networking/networking.ts';
import type { ProbeSeed, RecordedExchange, SeedNetwork, SeedPort } from './record.ts';
import { partialPort } from './world.ts';

/**
 * The Neutron of the probes as a port: lookups by id or name, with the sentences that the original gives for what is missing, shared
 * by several or not usable. Origin: zun/network/neutron.py.
 */
export function seedNetworking({ networks, ports, security_groups: groups }: ProbeSeed['neutron']): Networking {
  return partialPort<Networking>('networking', {
    findNetwork: async (ident) => {
      const found = networks.filter(({ id, name }) => id === ident || name === ident);
      if (found.length > 1) throw conflict('Multiple neutron networks exist with same name. Please use the uuid instead.');
      return networkOf(found[0] ?? fail(networkNotFound(ident)));
    },
    defaultNetwork: async (projectId) => {
      const oldest = (candidates: SeedNetwork[]) => [...candidates].sort((a, b) => (a.created_at < b.created_at ? -1 : 1))[0];
      const own = networks.filter((network) => network.tenant_id === projectId && !network.shared);
      const found = oldest(own) ?? oldest(networks.filter((network) => network.shared));
      return networkOf(found ?? fail(conflict('There is no neutron network available')));
    },
    findSecurityGroups: async (idents, projectId) =>
      idents.map((ident) => {
        const found = groups.filter(({ id, name, tenant_id }) => (id === ident || name === ident) && tenant_id === projectId);
        if (found.length > 1) throw conflict(`Multiple security group matches found for name ${ident}, use an ID to be more specific.`);
        return (found[0] ?? fail(invalidValue(`Security group ${ident} not found.`))).id;
      }),
    findPort: async (ident, projectId) => {
      const port = ports.find(({ id, name }) => id === ident || name === ident) ?? fail(portNotFound(ident));
      return usablePort(port, projectId);
    },
  });
}

/** A port that a container may take, or that one has. */
function usablePort(port: SeedPort, projectId: string): Port {
  if (port.tenant_id !== projectId) throw portNotUsable(port.id);
  if (port.device_id === '' && port.status === 'ACTIVE') throw portNotUsable(port.id);
  if (port.device_id !== '' && !/^c0000000-/.test(port.device_id)) throw portInUse(port.id);
  return {
    id: port.id,
    networkId: port.network_id,
    macAddress: null,
    fixedIps: [],
    containerUuid: port.device_id,
    securityGroups: [],
  };
}

function networkOf(network: SeedNetwork): Network {
  return { id: network.id, name: network.name, external: network['router:external'], shared: network.shared, subnets: everywhere };
}

/** The Neutron of an exchange: what its mocked lookups returned. */
export function mockedNetworking({ mocks, compute }: Pick<RecordedExchange, 'mocks' | 'compute'>): Networking {
  const mocked = (call: string, ident: string) =>
    mocks.find(({ name, args }) => name.endsWith(`.${call}`) && (args.length === 0 || args.includes(ident)));
  const result = (call: string, ident: string): Record<string, unknown> | string | undefined => {
    const mock = mocked(call, ident);
    if (mock?.raises) throw invalidValue(`Security group ${ident} not found.`);
    return mock?.returns as Record<string, unknown> | string | undefined;
  };
  const idOf = (value: unknown, fallback: string) => String((value as { id?: string } | undefined)?.id ?? fallback);
  const network = (id: string): Network => ({ id, name: id, subnets: everywhere });
  return partialPort<Networking>('networking', {
    findNetwork: async (ident) => network(idOf(result('get_neutron_network', ident), ident)),
    defaultNetwork: async () => network(idOf(result('get_available_network', ''), 'available')),
    findSecurityGroups: async (idents) => idents.map((ident) => String(result('find_resourceid_by_name_or_id', ident) ?? ident)),
    findPort: async (ident) => {
      const port = result('get_neutron_port', ident) as Record<string, string> | undefined;
      const networkId = port?.network_id ?? 'network';
      return { id: idOf(port, ident), networkId, macAddress: null, fixedIps: [], containerUuid: '', securityGroups: [] };
    },
    createNetwork: async ({ neutronNetId }) => {
      const made = compute.find(({ method }) => method === 'network_create')?.returns as { fields?: { name?: string } } | undefined;
      return { id: neutronNetId, name: made?.fields?.name ?? neutronNetId, subnets: everywhere };
    },
    deleteNetwork: async () => {},
  });
}

/** The records say nothing of subnets: any address fits. */
const everywhere: Network['subnets'] = [{ id: '77777777-7777-4777-8777-777777777777', cidr: '0.0.0.0/0', version: 4, gateway: null }];

function fail(error: Error): never {
  throw error;
}
