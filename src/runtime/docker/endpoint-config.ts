import type { NetworkInterface } from '../container-runtime.ts';

/** Docker's `EndpointSettings` for an interface; addresses that are not asked for are left to the engine. */
export function endpointConfig(wanted: NetworkInterface): Record<string, unknown> {
  const addresses = {
    ...(wanted.ipv4 === null ? {} : { IPv4Address: wanted.ipv4 }),
    ...(wanted.ipv6 === null ? {} : { IPv6Address: wanted.ipv6 }),
  };
  return {
    ...(Object.keys(addresses).length === 0 ? {} : { IPAMConfig: addresses }),
    ...(wanted.mac === null ? {} : { MacAddress: wanted.mac }),
  };
}
