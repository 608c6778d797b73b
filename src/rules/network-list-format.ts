/** An address of a container, as its row keeps it under the network's id. */
export interface ContainerAddress {
  addr?: string;
  version?: number;
  port?: string;
  subnet_id?: string;
}

export type ContainerAddresses = Record<string, ContainerAddress[]>;

/** `GET …/network_list` before 1.18: one entry an address. Origin: containers.py, _get_container_networks_legacy. */
export function legacyNetworkList(addresses: ContainerAddresses) {
  return entriesOf(addresses).map(({ networkId, address }) => ({ net_id: networkId, port_id: address.port ?? null, ...fixedIp(address) }));
}

/**
 * `GET …/network_list` from 1.18: one entry a port of a network. An address without a port, where the original crashes, has
 * `port_id` null. Origin: containers.py, _get_container_networks.
 */
export function networkList(addresses: ContainerAddresses) {
  const byPort = Map.groupBy(entriesOf(addresses), ({ networkId, address }) => JSON.stringify([networkId, address.port ?? null]));
  return [...byPort.values()].flatMap((entries) => {
    const [first] = entries;
    return first
      ? [{ net_id: first.networkId, port_id: first.address.port ?? null, fixed_ips: entries.map(({ address }) => fixedIp(address)) }]
      : [];
  });
}

function entriesOf(addresses: ContainerAddresses) {
  return Object.entries(addresses).flatMap(([networkId, list]) => list.map((address) => ({ networkId, address })));
}

function fixedIp(address: ContainerAddress) {
  return { subnet_id: address.subnet_id ?? null, version: address.version ?? null, ip_address: address.addr ?? null };
}
