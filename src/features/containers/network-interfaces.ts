import type { Networking, Port } from '../../networking/networking.ts';
import type { NetworkInterface } from '../../runtime/container-runtime.ts';
import type { Container, ContainerAddress } from './container.ts';
import type { RequestedNetwork } from './requested-network.ts';

/** Makes or takes the port of each requested network and binds it to the container. Repeatable: ports have keys. */
export async function preparePorts(
  networking: Networking,
  container: Pick<Container, 'uuid' | 'projectId' | 'host' | 'securityGroups'>,
  networks: RequestedNetwork[],
): Promise<Port[]> {
  const ports: Port[] = [];
  for (const [index, network] of networks.entries()) {
    const port = network.portId
      ? await networking.findPort(network.portId, container.projectId)
      : await networking.createPort({
          key: portKey(container.uuid, index),
          networkId: network.networkId,
          containerUuid: container.uuid,
          projectId: container.projectId,
          fixedIpv4: network.fixedIpv4,
          fixedIpv6: network.fixedIpv6,
          securityGroups: container.securityGroups ?? [],
        });
    await networking.bindPort(port.id, { containerUuid: container.uuid, host: container.host ?? '' });
    ports.push(port);
  }
  return ports;
}

/** The deterministic key under which a container's own port is found again. */
export const portKey = (uuid: string, index: number | string): string => `${uuid}/${index}`;

/** Frees everything a container holds on its networks: own ports go, the user's stay. Repeatable. */
export async function releasePorts(networking: Networking, containerUuid: string, preserved: ReadonlySet<string>): Promise<void> {
  for (const port of await networking.listPorts(containerUuid)) {
    if (preserved.has(port.id)) await networking.unbindPort(port.id);
    else await networking.deletePort(port.id);
  }
}

/** Ports the container's addresses mark as the user's own. */
export function preservedPorts(addresses: Container['addresses']): Set<string> {
  const all = Object.values(addresses ?? {}).flat();
  return new Set(all.filter((address) => address.preserve_on_delete).map((address) => address.port));
}

/** The `addresses` field: by network id, one entry an address. A port without one stands for the address that the runtime will give. */
export async function addressesOf(
  networking: Networking,
  ports: { port: Port; preserveOnDelete: boolean }[],
): Promise<Record<string, ContainerAddress[]>> {
  const addresses: Record<string, ContainerAddress[]> = {};
  for (const { port, preserveOnDelete } of ports) {
    const common = { port: port.id, preserve_on_delete: preserveOnDelete };
    const entries: ContainerAddress[] = port.fixedIps.map((ip) => ({
      addr: ip.address,
      version: ip.version,
      subnet_id: ip.subnetId,
      ...common,
    }));
    if (entries.length === 0)
      entries.push({ addr: '', version: 4, subnet_id: '', ...common, by_runtime: await networking.engineNetwork(port.networkId) });
    addresses[port.networkId] = [...(addresses[port.networkId] ?? []), ...entries];
  }
  return addresses;
}

/** A port as the runtime attaches it. */
export async function networkInterface(networking: Networking, port: Port): Promise<NetworkInterface> {
  const address = (version: 4 | 6) => port.fixedIps.find((ip) => ip.version === version)?.address ?? null;
  return {
    engineNetwork: await networking.engineNetwork(port.networkId),
    ipv4: address(4),
    ipv6: address(6),
    mac: port.macAddress,
  };
}
