/**
 * The port to Placement, or in `standalone` to the node's own figures kept in the database.
 * The consumer of a claim is the container's UUID.
 */
export interface Inventory {
  /** Hosts with room. Empty when there is none or the service does not answer (the original makes both NoValidHost). */
  candidates(request: ResourceRequest): Promise<Candidate[]>;
  /** Takes the resources; `false` when another claim was faster. Repeating a claim that holds is `true`. */
  claim(consumer: string, candidate: Candidate, owner: { projectId: string; userId: string }): Promise<boolean>;
  /** Changes a held claim (resize); `false` when there is no room, and then the old claim stands. */
  resize(consumer: string, request: ResourceRequest): Promise<boolean>;
  /** Idempotent. */
  release(consumer: string): Promise<void>;
  /** Every claim on the host's provider; none before the host was reported. */
  claimsOn(host: string): Promise<Claim[]>;
  /** Publishes what a node has. */
  report(provider: { uuid: string; hostname: string; inventory: NodeInventory; disabled: boolean }): Promise<void>;
}

/** Amounts as Placement takes them: whole VCPU, MiB, GiB. */
export interface ResourceRequest {
  vcpu: number;
  memoryMb: number;
  /** 0 = not asked for. */
  diskGb: number;
  /** Ask for this host only. */
  host: string | null;
}

export interface Candidate {
  resourceProviderUuid: string;
  resources: ResourceRequest;
}

/** What a consumer holds. Amounts as in `ResourceRequest`. */
export interface Claim {
  consumer: string;
  vcpu: number;
  memoryMb: number;
  diskGb: number;
}

export interface NodeInventory {
  vcpu: number;
  memoryMb: number;
  diskGb: number;
  cpuAllocationRatio: number;
  memoryAllocationRatio: number;
  diskAllocationRatio: number;
}
