/** A network as a create task carries it. */
export interface RequestedNetwork {
  networkId: string;
  /** The user's own port, or `null` for one to be made. */
  portId: string | null;
  fixedIpv4: string | null;
  fixedIpv6: string | null;
  /** True for the user's own port. */
  preserveOnDelete: boolean;
  /** Leads outside and is not shared: not for everybody (`network:attach_external_network`). */
  external?: boolean;
}
