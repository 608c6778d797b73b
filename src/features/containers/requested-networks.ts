import type { RequestContext } from '../../api/request-context.ts';
import { conflict, invalidParameterValue, portInUse } from '../../errors/catalogue.ts';
import type { Network, Networking } from '../../networking/networking.ts';
import type { RequestedNetwork } from './requested-network.ts';

/** One entry of `nets` as the schema lets it through. */
export type NetRequest = { network?: string; port?: string; 'v4-fixed-ip'?: string; 'v6-fixed-ip'?: string; fixed_ip?: string };

/**
 * Resolves what a request says of networks: ids for names, the user's ports checked, the default network for none.
 * Origin: zun/common/utils.py (build_requested_networks).
 */
export async function requestedNetworks(networking: Networking, context: RequestContext, nets: NetRequest[]): Promise<RequestedNetwork[]> {
  const requested: RequestedNetwork[] = [];
  for (const net of nets) {
    if (net.port) {
      const port = await networking.findPort(net.port, context.projectId);
      if (port.containerUuid !== '') throw portInUse(port.id);
      const network = await networking.findNetwork(port.networkId, context.projectId);
      requested.push({ ...wish(network), networkId: port.networkId, portId: port.id, preserveOnDelete: true });
    } else if (net.network) {
      const network = await networking.findNetwork(net.network, context.projectId);
      const { v4, v6 } = fixedIps(net);
      requested.push({ ...wish(network), fixedIpv4: v4, fixedIpv6: v6 });
    }
  }
  if (requested.length === 0) {
    const network = await networking.defaultNetwork(context.projectId);
    requested.push(wish(network));
  }
  refuseTwice(requested);
  return requested;
}

/** A port of its own on a network. */
function wish({ id, external, shared }: Network): RequestedNetwork {
  const plain = { networkId: id, portId: null, fixedIpv4: null, fixedIpv6: null, preserveOnDelete: false };
  return external && !shared ? { ...plain, external } : plain;
}

/** `fixed_ip` of network_attach, which wins, says no version; the address does. */
export function fixedIps(net: NetRequest): { v4: string | null; v6: string | null } {
  const any = net.fixed_ip ?? '';
  return {
    v4: (any.includes('.') ? any : net['v4-fixed-ip']) || null,
    v6: (any.includes(':') ? any : net['v6-fixed-ip']) || null,
  };
}

function refuseTwice(requested: RequestedNetwork[]): void {
  const seen = new Set<string>();
  for (const { networkId } of requested) {
    if (seen.has(networkId)) throw conflict(`Network ${networkId} is asked for twice in nets: a container has one port on a network.`);
    seen.add(networkId);
  }
}

/** Refuses a fixed address outside every subnet of its network before anything is made. */
export async function requireAddressesFit(networking: Networking, context: RequestContext, requested: RequestedNetwork[]): Promise<void> {
  for (const { networkId, fixedIpv4 } of requested) {
    if (fixedIpv4 === null) continue;
    const network = await networking.findNetwork(networkId, context.projectId);
    const cidrs = network.subnets.filter((subnet) => subnet.version === 4).map((subnet) => subnet.cidr);
    if (!cidrs.some((cidr) => contains(cidr, fixedIpv4))) {
      throw invalidParameterValue(
        `Invalid value '${fixedIpv4}' for v4-fixed-ip: network ${networkId} has ${cidrs.join(', ') || 'no IPv4 subnet'}.`,
      );
    }
  }
}

function contains(cidr: string, address: string): boolean {
  const [base = '', bits = '32'] = cidr.split('/');
  const mask = Number(bits) === 0 ? 0 : (~0 << (32 - Number(bits))) >>> 0;
  return (ipv4Number(base) & mask) >>> 0 === (ipv4Number(address) & mask) >>> 0;
}

const ipv4Number = (address: string): number => address.split('.').reduce((sum, octet) => (sum * 256 + Number(octet)) >>> 0, 0);
