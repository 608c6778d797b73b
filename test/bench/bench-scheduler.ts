import type { ResourceRequest } from '../../src/scheduling/inventory.ts';
import type { Scheduler } from '../../src/scheduling/scheduler.ts';

/** One host with so much room; what is claimed of it is there to be looked at. */
export class BenchScheduler implements Scheduler {
  readonly claims = new Map<string, ResourceRequest>();
  vcpus = 64;

  async place(consumer: string, resources: ResourceRequest): Promise<string | null> {
    return this.#claim(consumer, resources) ? 'bench' : null;
  }

  async resize(consumer: string, resources: ResourceRequest): Promise<boolean> {
    return this.#claim(consumer, resources);
  }

  async release(consumer: string): Promise<void> {
    this.claims.delete(consumer);
  }

  #claim(consumer: string, resources: ResourceRequest): boolean {
    const others = [...this.claims].filter(([holder]) => holder !== consumer).reduce((sum, [, claim]) => sum + claim.vcpu, 0);
    if (others + resources.vcpu > this.vcpus) return false;
    this.claims.set(consumer, resources);
    return true;
  }
}
