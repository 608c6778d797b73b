/** A subnet as numbers. Addresses are big integers of 32 or 128 bits. */
export interface AddressRange {
  version: 4 | 6;
  /** The network's own address, which no interface gets. */
  first: bigint;
  /** IPv4: the broadcast address. */
  last: bigint;
}

/** `10.1.0.0/24` or `fd00::/64`; `null` when it is neither. */
export function parseCidr(cidr: string): AddressRange | null {
  const [base = '', bits = ''] = cidr.split('/');
  const address = parseAddress(base);
  if (!address || !/^\d+$/.test(bits)) return null;
  const width = address.version === 4 ? 32 : 128;
  const hostBits = BigInt(width - Number(bits));
  if (hostBits < 0n) return null;
  const first = (address.value >> hostBits) << hostBits;
  return { version: address.version, first, last: first + (1n << hostBits) - 1n };
}

/** `null` for what is no address. */
export function parseAddress(text: string): { version: 4 | 6; value: bigint } | null {
  if (!text.includes(':')) {
    const parts = text.split('.');
    if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return null;
    return { version: 4, value: parts.reduce((value, part) => value * 256n + BigInt(part), 0n) };
  }
  const groups = canonicalGroups(text);
  return groups && { version: 6, value: groups.reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n) };
}

export function formatAddress(version: 4 | 6, value: bigint): string {
  if (version === 4) return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
  const groups = Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - 16 * index)) & 65535n).toString(16));
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** Whether an interface may have the address: in the range, and neither the network's nor the broadcast address. */
export function isAssignable(range: AddressRange, value: bigint): boolean {
  return value > range.first && (range.version === 4 ? value < range.last : value <= range.last);
}

/** How far from the beginning addresses are given out; a /64 is never exhausted. */
const window = 65_534n;

/**
 * A free address; `null` when there is none. `begin` chooses where the search starts among so many: two installations that share a
 * network and do not see each other's stopped containers then rarely choose the same.
 */
export function freeAddress(range: AddressRange, taken: ReadonlySet<bigint>, begin: (bound: number) => number): bigint | null {
  const highest = range.version === 4 ? range.last - 1n : range.last;
  const size = highest - range.first < window ? Number(highest - range.first) : Number(window);
  if (size <= 0) return null;
  const offset = begin(size);
  for (let step = 0; step < size; step += 1) {
    const value = range.first + 1n + BigInt((offset + step) % size);
    if (!taken.has(value)) return value;
  }
  return null;
}

/** The eight groups of an IPv6 address, `::` filled in. */
function canonicalGroups(text: string): string[] | null {
  const [head = '', tail, ...more] = text.toLowerCase().split('::');
  const split = (part: string) => (part === '' ? [] : part.split(':'));
  const [before, after] = [split(head), split(tail ?? '')];
  const missing = 8 - before.length - after.length;
  if (more.length > 0 || (tail === undefined ? missing !== 0 : missing < 1)) return null;
  const groups = [...before, ...Array<string>(missing).fill('0'), ...after];
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group)) ? groups : null;
}
