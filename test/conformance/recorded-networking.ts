import { conflict, invalidValue, networkNotFound, portNotFound } from '../../src/errors/catalogue.ts';
import type { Network, Networking, Port } from '../../src/networking/networking.ts';
import { availableNetwork } from '../../src/rules/available-network.ts';
import { requireUsablePort } from '../../src/rules/require-usable-port.ts';
import type { ProbeSeed, RecordedExchange, SeedNetwork, SeedPort } from './record.ts';
import { type AskNode, partialPort } from './world.ts';

/**
 * The Neutron of the probes as a port: lookups by id or name, with the sentences that the original gives for what is missing, shared
 * by several or not usable. Origin: zun/network/neutron.py.
 */
export function seedNetworking({ networks, ports, security_groups: groups }: ProbeSeed['neutron'], ask: AskNode): Networking {
  return partialPort<Networking>('networking', {
    findNetwork: async (ident) => {
      const found = networks.filter(({ id, name }) => id === ident || name === ident);
      if (found.length > 1) throw conflict('Multiple neutron networks exist with same name. Please use the uuid instead.');
      return networkOf(found[0] ?? fail(networkNotFound(ident)));
    },
    defaultNetwork: async (projectId) => networkOf(availableNetwork(networks, projectId)),
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
    createNetwork: async ({ neutronNetId }) => {
      const network = networks.find(({ id, name }) => id === neutronNetId || name === neutronNetId) ?? fail(networkNotFound(neutronNetId));
      return { ...networkOf(network), name: String(madeByNode(ask('network_create')).name ?? network.name) };
    },
    engineNetwork: async () => String(madeByNode(ask('network_create')).network_id ?? 'engine-network'),
    deleteNetwork: async () => {
      ask('network_delete');
    },
  });
}

/** The row as the node left it. */
const madeByNode = (returns: unknown): Record<string, unknown> =>
  (returns as { unsaved?: Record<string, unknown> } | undefined)?.unsaved ?? {};

/** A port that a container may take, or that one has. */
function usablePort(port: SeedPort, projectId: string): Port {
  const isOfContainer = port.device_id.startsWith('c0000000-');
  if (!isOfContainer) requireUsablePort(port, projectId);
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
    if (mock?.raises) throw securityGroupFailure(mock.raises.$exception, ident);
    return mock?.returns as Record<string, unknown> | string | undefined;
  };
  const made = (field: string) => {
    const { fields } = (compute.find(({ method }) => method === 'network_create')?.returns ?? {}) as { fields?: Record<string, unknown> };
    return fields?.[field];
  };
  const idOf = (value: unknown, fallback: string) => String((value as { id?: string } | undefined)?.id ?? fallback);
  const network = (id: string, flags: Record<string, unknown> = {}): Network => ({
    id,
    name: id,
    external: flags['router:external'] === true,
    shared: flags.shared === true,
    subnets: everywhere,
  });
  return partialPort<Networking>('networking', {
    findNetwork: async (ident) => {
      const found = result('get_neutron_network', ident);
      return network(idOf(found, ident), found as Record<string, unknown> | undefined);
    },
    defaultNetwork: async () => network(idOf(result('get_available_network', ''), 'available')),
    findSecurityGroups: async (idents) => idents.map((ident) => String(result('find_resourceid_by_name_or_id', ident) ?? ident)),
    findPort: async (ident) => {
      const port = result('get_neutron_port', ident) as Record<string, string> | undefined;
      const networkId = port?.network_id ?? 'network';
      return { id: idOf(port, ident), networkId, macAddress: null, fixedIps: [], containerUuid: '', securityGroups: [] };
    },
    createNetwork: async ({ neutronNetId }) => ({ id: neutronNetId, name: String(made('name') ?? neutronNetId), subnets: everywhere }),
    engineNetwork: async () => String(made('network_id') ?? 'engine-network'),
    deleteNetwork: async () => {},
  });
}

/** What the original makes of Neutron's refusals of a security group. */
function securityGroupFailure(exception: string, ident: string): Error {
  if (exception === 'NotFound') return invalidValue(`Security group ${ident} not found.`);
  return conflict(`Multiple security group matches found for name ${ident}, use an ID to be more specific.`);
}

/** The records say nothing of subnets: any address fits. */
const everywhere: Network['subnets'] = [{ id: '77777777-7777-4777-8777-777777777777', cidr: '0.0.0.0/0', version: 4, gateway: null }];

function fail(error: Error): never {
  throw error;
}
