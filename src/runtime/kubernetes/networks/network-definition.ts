import { BlockList, isIP } from 'node:net';
import type { V1ObjectMeta } from '@kubernetes/client-node';
import type { NetworkInterface } from '../../container-runtime.ts';

/** A NetworkAttachmentDefinition (`k8s.cni.cncf.io/v1`): a network beside the Pod network, as a CNI configuration in JSON. */
export interface KubeNetworkDefinition {
  metadata?: V1ObjectMeta;
  spec?: { config?: string };
}

/** What a definition's configuration tells of its network. */
export interface NetworkFacts {
  subnets: { cidr: string; gateway: string | null }[];
  /** `given`: its plugins choose them; `asked`: they do, and take one that is asked for; `needed`: they have none but those asked for. */
  addresses: 'given' | 'asked' | 'needed';
  takesMac: boolean;
}

/** On a definition, by its operator: subnets that its configuration does not tell (DHCP, static), with commas between them. */
export const subnetsAnnotation = 'zun.openstack.org/subnets';

interface CniPlugin {
  capabilities?: Record<string, boolean>;
  ipam?: CniIpam;
}

/** host-local, static and whereabouts, as far as they tell a subnet. */
interface CniIpam {
  type?: string;
  subnet?: string;
  range?: string;
  gateway?: string;
  ranges?: { subnet?: string; gateway?: string }[][];
  ipRanges?: { range?: string }[];
}

/** Reads a definition. One without a configuration, or with one that is none, tells nothing: a file on the nodes may have it. Pure. */
export function networkFacts({ metadata, spec }: KubeNetworkDefinition): NetworkFacts {
  const plugins = pluginsOf(spec?.config);
  const ipam = plugins.find((plugin) => plugin.ipam?.type)?.ipam ?? {};
  const takes = (capability: string) => plugins.some(({ capabilities }) => capabilities?.[capability] === true);
  const told = (metadata?.annotations?.[subnetsAnnotation] ?? '').split(',').map((text) => text.trim());
  const subnets = [...subnetsOf(ipam), ...told.map((cidr) => ({ cidr, gateway: null }))].filter(({ cidr }) => isCidr(cidr));
  return {
    subnets,
    addresses: !takes('ips') ? 'given' : ipam.type === 'static' ? 'needed' : 'asked',
    takesMac: takes('mac'),
  };
}

/**
 * The interface as its network's plugins take it: addresses with the length of their subnet's prefix, as `static` wants them, and nothing
 * that they would pass over. Pure.
 */
export function interfaceOn(facts: NetworkFacts, wanted: NetworkInterface): NetworkInterface {
  const address = (ip: string | null) => (ip === null || facts.addresses === 'given' ? null : withPrefix(ip, facts.subnets));
  return { ...wanted, ipv4: address(wanted.ipv4), ipv6: address(wanted.ipv6), mac: facts.takesMac ? wanted.mac : null };
}

function pluginsOf(config: string | undefined): CniPlugin[] {
  try {
    const parsed = JSON.parse(config ?? '') as CniPlugin & { plugins?: CniPlugin[] };
    return parsed.plugins ?? [parsed];
  } catch {
    return [];
  }
}

function subnetsOf({ subnet, range, gateway, ranges = [], ipRanges = [] }: CniIpam): NetworkFacts['subnets'] {
  const own = [subnet, range].flatMap((cidr) => (cidr === undefined ? [] : [{ cidr: withoutStart(cidr), gateway: gateway ?? null }]));
  const sets = ranges.flat().map((each) => ({ cidr: each.subnet ?? '', gateway: each.gateway ?? null }));
  return [...own, ...sets, ...ipRanges.map((each) => ({ cidr: withoutStart(each.range ?? ''), gateway: null }))];
}

/** whereabouts takes `10.1.0.10-10.1.0.20/24`, too. */
const withoutStart = (range: string): string => range.replace(/^[^/]*-/, '');

function isCidr(text: string): boolean {
  const [address = '', length = ''] = text.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return /^\d{1,3}$/.test(length) && Number(length) <= bits;
}

function withPrefix(ip: string, subnets: NetworkFacts['subnets']): string {
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
  for (const { cidr } of subnets) {
    const [base = '', length = ''] = cidr.split('/');
    if ((isIP(base) === 6 ? 'ipv6' : 'ipv4') !== family) continue;
    const subnet = new BlockList();
    subnet.addSubnet(base, Number(length), family);
    if (subnet.check(ip, family)) return `${ip}/${length}`;
  }
  return ip;
}
