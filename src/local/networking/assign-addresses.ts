import { conflict, invalidValue } from '../../errors/catalogue.ts';
import type { FixedIp, Network, Subnet } from '../../networking/networking.ts';
import { type AddressRange, formatAddress, freeAddress, isAssignable, parseAddress, parseCidr } from './subnet-addresses.ts';

export interface AddressWish {
  fixedIpv4: string | null;
  fixedIpv6: string | null;
  /** Addresses of ports and of the engine's endpoints. */
  taken: Iterable<string>;
  /** Without a wish: give one of each version the network has, or leave it to the engine. */
  assign: boolean;
  begin(bound: number): number;
}

/**
 * The addresses of a new port: what is asked for, else a free one of each version. Refusals are Neutron's sentences: 400 for an
 * address outside the subnets, 409 for one that is taken or when none is free.
 */
export function assignAddresses(network: Network, wish: AddressWish): FixedIp[] {
  const taken = new Set<string>();
  for (const address of wish.taken) taken.add(canonical(address));
  const asked = [wish.fixedIpv4, wish.fixedIpv6].filter((address) => address !== null);
  const fixed = asked.map((address) => requestedAddress(network, address, taken));
  if (!wish.assign) return fixed;
  const versions = ([4, 6] as const).filter((version) => !fixed.some((ip) => ip.version === version));
  return [...fixed, ...versions.flatMap((version) => anyAddress(network, version, taken, wish.begin))];
}

function requestedAddress(network: Network, text: string, taken: ReadonlySet<string>): FixedIp {
  const address = parseAddress(text);
  const subnet = network.subnets.find((candidate) => {
    const range = parseCidr(candidate.cidr);
    return address && range?.version === address.version && isAssignable(range, address.value);
  });
  if (!address || !subnet) throw invalidValue(`IP address ${text} is not a valid IP for any of the subnets on the specified network.`);
  const plain = formatAddress(address.version, address.value);
  if (taken.has(plain) || gatewayOf(subnet) === plain) throw conflict(`IP address ${plain} already allocated in subnet ${subnet.id}.`);
  return { subnetId: subnet.id, address: plain, version: address.version };
}

function anyAddress(network: Network, version: 4 | 6, taken: ReadonlySet<string>, begin: AddressWish['begin']): FixedIp[] {
  const subnets = network.subnets.filter((subnet) => subnet.version === version);
  for (const subnet of subnets) {
    const range = parseCidr(subnet.cidr);
    if (!range) continue;
    const values = [...taken, gatewayOf(subnet) ?? ''].flatMap((address) => parseAddress(address)?.value ?? []);
    const value = freeAddress(range, new Set(values), begin);
    if (value !== null) return [{ subnetId: subnet.id, address: formatAddress(version, value), version }];
  }
  if (subnets.length > 0) throw conflict(`No more IP addresses available on network ${network.id}.`);
  return [];
}

/** Docker's gateway is the first address where none is configured. */
function gatewayOf(subnet: Subnet): string | null {
  if (subnet.gateway !== null) return canonical(subnet.gateway);
  const range: AddressRange | null = parseCidr(subnet.cidr);
  return range && formatAddress(range.version, range.first + 1n);
}

function canonical(address: string): string {
  const parsed = parseAddress(address);
  return parsed ? formatAddress(parsed.version, parsed.value) : address;
}
