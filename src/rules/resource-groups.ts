import { pythonNumber } from '../validation/python-number.ts';

/** Resources and traits that one provider has to bring together (numbered), or any of a tree (the group ''). */
export interface ResourceGroup {
  resources: Record<string, number>;
  required: Set<string>;
  forbidden: Set<string>;
  inTree?: string | undefined;
}

/** Names of Placement's standard classes (os_resource_classes); operators' own begin with CUSTOM_. */
const STANDARD_CLASSES = new Set(
  `VCPU MEMORY_MB DISK_GB PCI_DEVICE SRIOV_NET_VF NUMA_SOCKET NUMA_CORE NUMA_THREAD NUMA_MEMORY_MB IPV4_ADDRESS VGPU
  VGPU_DISPLAY_HEAD NET_BW_EGR_KILOBIT_PER_SEC NET_BW_IGR_KILOBIT_PER_SEC PCPU MEM_ENCRYPTION_CONTEXT FPGA PGPU
  NET_PACKET_RATE_KILOPACKET_PER_SEC NET_PACKET_RATE_EGR_KILOPACKET_PER_SEC NET_PACKET_RATE_IGR_KILOPACKET_PER_SEC`.split(/\s+/),
);

const GROUP_KEY = /^(resources|trait)([1-9][0-9]*)?:(.*)$/;

/** The groups of a request to Placement. Origin: zun/scheduler/utils.py, ResourceRequest. */
export class ResourceGroups {
  readonly #groups = new Map<string, ResourceGroup>();
  #policy: string | null = null;

  /** Keys and values that mean nothing to Placement are passed over. */
  static fromExtraSpec(extraSpec: Readonly<Record<string, unknown>>): ResourceGroups {
    const groups = new ResourceGroups();
    for (const [key, value] of Object.entries(extraSpec)) {
      const [, kind, number = '', name = ''] = GROUP_KEY.exec(key) ?? [];
      if (key === 'group_policy' && (value === 'none' || value === 'isolate')) {
        groups.#policy = value;
      } else if (kind === 'resources') {
        groups.#addResource(number, name, value);
      } else if (kind === 'trait' && (value === 'required' || value === 'forbidden')) {
        groups.group(number)[value].add(name);
      }
    }
    return groups;
  }

  /** The group with the number, '' for the one without; made when it is not there. */
  group(number: string): ResourceGroup {
    const found = this.#groups.get(number) ?? { resources: {}, required: new Set<string>(), forbidden: new Set<string>() };
    this.#groups.set(number, found);
    return found;
  }

  /** Amounts of all groups added up, by class. */
  merged(): Record<string, number> {
    const amounts: Record<string, number> = {};
    for (const { resources } of this.#groups.values()) {
      for (const [name, amount] of Object.entries(resources)) {
        amounts[name] = (amounts[name] ?? 0) + amount;
      }
    }
    return amounts;
  }

  /** A class given as zero stands for "none of it": it leaves the groups, and so do groups that are then empty. */
  dropZeros(): void {
    for (const [number, group] of this.#groups) {
      group.resources = Object.fromEntries(Object.entries(group.resources).filter(([, amount]) => amount !== 0));
      if (Object.keys(group.resources).length + group.required.size + group.forbidden.size === 0) {
        this.#groups.delete(number);
      }
    }
  }

  /** The query of `GET /allocation_candidates`, sorted; `limit` null asks for all candidates. */
  query(limit: number | null): string {
    const parameters: [string, string][] = limit === null ? [] : [['limit', String(limit)]];
    if (this.#policy) {
      parameters.push(['group_policy', this.#policy]);
    }
    for (const [number, { resources, required, forbidden, inTree }] of this.#groups) {
      const amounts = Object.entries(resources).map(([name, amount]) => `${name}:${amount}`);
      parameters.push([`resources${number}`, amounts.sort().join(',')]);
      const traits = [...[...required].sort(), ...[...forbidden].sort().map((trait) => `!${trait}`)];
      if (traits.length > 0) {
        parameters.push([`required${number}`, traits.join(',')]);
      }
      if (inTree) {
        parameters.push([`in_tree${number}`, inTree]);
      }
    }
    const query = new URLSearchParams(parameters);
    query.sort();
    return query.toString();
  }

  #addResource(number: string, name: string, value: unknown): void {
    const amount = typeof value === 'string' ? pythonNumber(value) : value;
    if ((STANDARD_CLASSES.has(name) || name.startsWith('CUSTOM_')) && typeof amount === 'number' && amount >= 0) {
      this.group(number).resources[name] = Math.trunc(amount);
    }
  }
}
