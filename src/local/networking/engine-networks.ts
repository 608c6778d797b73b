/** The engine's side of the embedded networking. Errors are `RuntimeFault`s. */
export interface EngineNetworks {
  /** Those that workloads can join with an address of their own; `host`, `none` and Docker's `bridge` are not among them. */
  list(): Promise<EngineNetwork[]>;
  /** Addresses that endpoints have now. */
  addressesInUse(network: EngineNetwork): Promise<string[]>;
  /** Makes a bridge network on a subnet that is free on this machine. One that exists by that name is answered as it is. */
  create(name: string, labels: Record<string, string>): Promise<EngineNetwork>;
  /** Removing what is gone succeeds; `conflict` while endpoints are on it. */
  remove(network: EngineNetwork): Promise<void>;
}

export interface EngineNetwork {
  /** The engine's own. */
  id: string;
  name: string;
  labels: Record<string, string>;
  subnets: { cidr: string; gateway: string | null }[];
  /** Whether the engine takes addresses from us: Docker does so only where the subnet was configured, not where it chose it. */
  takesAddresses: boolean;
  /** Why it takes none even if a user asks for one, as a sentence; absent where the engine can be asked. */
  refusesAddresses?: string;
  /** What a workload's interface calls it by; absent where that is the name. */
  attachedAs?: string;
}
