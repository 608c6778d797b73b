/**
 * The port to the network service: Neutron, or the engine's networks in `standalone`.
 * Errors are `ZunError`s from `errors/` whose texts are the original's (`Network … could not be found.`).
 * Ports are found again by `key`, so `createPort` may be repeated after a crash.
 */
export interface Networking {
  /** By id or name, within what the project may use. Not found: `NetworkNotFound`; a name that matches several: `Conflict`. */
  findNetwork(ident: string, projectId: string): Promise<Network>;
  /** The network a container gets that asks for none. `Conflict` with the original's sentence when there is none. */
  defaultNetwork(projectId: string): Promise<Network>;
  /** Ids of security groups given by name or id. */
  findSecurityGroups(idents: string[], projectId: string): Promise<string[]>;
  findPort(ident: string, projectId: string): Promise<Port>;
  /** Idempotent by `key`. */
  createPort(request: PortRequest): Promise<Port>;
  /** Binds a port (own or the user's) to a container on a host before the workload starts. */
  bindPort(portId: string, binding: { containerUuid: string; host: string }): Promise<void>;
  /** Frees a user's port: `device_id` and host cleared, the port stays. */
  unbindPort(portId: string): Promise<void>;
  /** Deletes a port that this service made. A missing port counts as deleted. */
  deletePort(portId: string): Promise<void>;
  /** All ports bound to, or made for, a container. */
  listPorts(containerUuid: string): Promise<Port[]>;
  /** Replaces a port's security groups, given by id. Absent where networks have no security groups. */
  setSecurityGroups?(portId: string, securityGroups: string[]): Promise<void>;
  /** Makes sure the runtime can attach workloads to this network; answers its name in the engine. */
  engineNetwork(networkId: string): Promise<string>;
  /** `POST /v1/networks`. `neutronNetId` names an existing network; standalone makes one of that name when there is none. */
  createNetwork(request: { neutronNetId: string; name: string | null; projectId: string }): Promise<Network>;
  /** Removes the engine's side of a network made by `createNetwork`. `conflict` when in use. */
  deleteNetwork(networkId: string): Promise<void>;
}

export interface Network {
  id: string;
  name: string;
  /** Leads outside (`router:external`): only some callers may attach to it, unless it is shared. Absent = no. */
  external?: boolean;
  shared?: boolean;
  subnets: Subnet[];
}

export interface Subnet {
  id: string;
  cidr: string;
  version: 4 | 6;
  gateway: string | null;
}

export interface PortRequest {
  /** Deterministic: `<container uuid>/<index of the requested network>`. */
  key: string;
  networkId: string;
  containerUuid: string;
  projectId: string;
  fixedIpv4: string | null;
  fixedIpv6: string | null;
  securityGroups: string[];
}

export interface Port {
  id: string;
  networkId: string;
  macAddress: string | null;
  fixedIps: FixedIp[];
  /** '' when unbound. */
  containerUuid: string;
  securityGroups: string[];
}

export interface FixedIp {
  subnetId: string;
  address: string;
  version: 4 | 6;
}
