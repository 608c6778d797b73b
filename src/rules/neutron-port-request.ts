import { isIPv4 } from 'node:net';

/** What a container wants of Neutron on one network. */
export interface PortWish {
  containerUuid: string;
  projectId: string;
  networkId: string;
  /** The user's own port, which is bound; `null` = one is made. */
  portId: string | null;
  fixedIp: string | null;
  /** `null` = Neutron's default group. */
  securityGroups: string[] | null;
  /** Where the container is, and what the port is used as; `null` = the port is not bound to a host. */
  binding: { host: string; deviceOwner: string } | null;
}

/** The body of a request to Neutron, made with the service's own rights. */
export type PortRequest =
  | { create: { port: Record<string, unknown> } }
  | { update: [portId: string, body: { port: Record<string, unknown> }] };

/** Origin: zun/network/neutron.py (create_or_update_port). */
export function neutronPortRequest(wish: PortWish): PortRequest {
  const { binding, fixedIp, securityGroups } = wish;
  const bound = binding ? { device_owner: binding.deviceOwner, 'binding:host_id': binding.host } : {};
  if (wish.portId !== null) return { update: [wish.portId, { port: { device_id: wish.containerUuid, ...bound } }] };
  return {
    create: {
      port: {
        network_id: wish.networkId,
        tenant_id: wish.projectId,
        device_id: wish.containerUuid,
        ...bound,
        ...(fixedIp === null ? {} : { fixed_ips: [{ ip_address: fixedIp }] }),
        ...(securityGroups === null ? {} : { security_groups: securityGroups }),
      },
    },
  };
}

/** One entry of `container.addresses` for each address of a port. Origin: the same. */
export function portAddresses(
  port: { id: string; fixed_ips: { ip_address: string; subnet_id: string }[] },
  preserveOnDelete: boolean,
): Record<string, unknown>[] {
  return port.fixed_ips.map(({ ip_address: addr, subnet_id }) => ({
    addr,
    version: isIPv4(addr) ? 4 : 6,
    port: port.id,
    subnet_id,
    preserve_on_delete: preserveOnDelete,
  }));
}
