import type { WorkloadObservation } from '../../runtime/container-runtime.ts';
import type { Container, ContainerAddress } from './container.ts';

/**
 * The `addresses` field with what the runtime has given on the networks that give addresses themselves: those of a cluster, which give
 * another one after each start. What the network service gave stays, and so does what was known of a network that now tells none. Pure.
 */
export function observedAddresses(addresses: Container['addresses'], observed: WorkloadObservation['addresses']): Container['addresses'] {
  if (addresses === null) return addresses;
  const entries = Object.entries(addresses).map(([network, list]) => {
    const open = list.find(({ by_runtime }) => by_runtime !== undefined && Object.hasOwn(observed, by_runtime));
    const told = open ? toldOf(observed[open.by_runtime ?? '']) : [];
    return [network, open && told.length > 0 ? told.map((address) => ({ ...open, ...address })) : list] as const;
  });
  return Object.fromEntries(entries);
}

function toldOf(given: WorkloadObservation['addresses'][string] | undefined): { version: 4 | 6; addr: string }[] {
  const versions: [4 | 6, string | null][] = [
    [4, given?.ipv4 ?? null],
    [6, given?.ipv6 ?? null],
  ];
  return versions.flatMap(([version, addr]) => (addr === null ? [] : [{ version, addr }]));
}

/** The field as users see it: addresses that are known, with the original's members. */
export function shownAddresses(addresses: Container['addresses']): Container['addresses'] {
  if (addresses === null) return null;
  const shown = (list: ContainerAddress[]) => list.filter(({ addr }) => addr !== '').map(({ by_runtime: _, ...address }) => address);
  return Object.fromEntries(Object.entries(addresses).map(([network, list]) => [network, shown(list)]));
}
