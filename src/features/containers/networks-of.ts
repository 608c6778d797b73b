import type { Container } from './container.ts';
import type { RequestedNetwork } from './requested-network.ts';

/** The networks a container has, with its ports: what a rebuild takes over. */
export function networksOf(container: Container): RequestedNetwork[] {
  return Object.entries(container.addresses ?? {}).map(([networkId, addresses]) => ({
    networkId,
    portId: addresses[0]?.port ?? null,
    fixedIpv4: null,
    fixedIpv6: null,
    preserveOnDelete: addresses[0]?.preserve_on_delete ?? false,
  }));
}
