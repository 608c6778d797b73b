import type { WorkloadObservation } from '../../runtime/container-runtime.ts';
import type { Container, ContainerAddress } from './container.ts';

/**
 * The `addresses` field with what the runtime has given where it is the one that gives addresses: a cluster's Pod network has one
 * network, and another address after each start. What the network service gave stays. Pure.
 */
export function observedAddresses(addresses: Container['addresses'], observed: WorkloadObservation['addresses']): Container['addresses'] {
  const given = Object.values(observed);
  if (addresses === null || given.length !== 1) return addresses;
  const [{ ipv4, ipv6 } = { ipv4: null, ipv6: null }] = given;
  const versions: [4 | 6, string | null][] = [
    [4, ipv4],
    [6, ipv6],
  ];
  const told = versions.flatMap(([version, addr]) => (addr === null ? [] : [{ version, addr }]));
  if (told.length === 0) return addresses;
  const entries = Object.entries(addresses).map(([network, list]) => {
    const [open] = list.filter((address) => address.by_runtime);
    return [network, open ? told.map((address) => ({ ...open, ...address })) : list] as const;
  });
  return Object.fromEntries(entries);
}

/** The field as users see it: addresses that are known, with the original's members. */
export function shownAddresses(addresses: Container['addresses']): Container['addresses'] {
  if (addresses === null) return null;
  const shown = (list: ContainerAddress[]) => list.filter(({ addr }) => addr !== '').map(({ by_runtime: _, ...address }) => address);
  return Object.fromEntries(Object.entries(addresses).map(([network, list]) => [network, shown(list)]));
}
