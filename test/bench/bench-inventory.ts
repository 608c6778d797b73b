import type { Candidate, Claim, Inventory, ResourceRequest } from '../../src/scheduling/inventory.ts';

/** One provider that has room for everything: an inventory with nothing behind it. */
export class BenchInventory implements Inventory {
  readonly claims = new Set<string>();
  #provider: string | null = null;

  async candidates(request: ResourceRequest): Promise<Candidate[]> {
    return this.#provider === null ? [] : [{ resourceProviderUuid: this.#provider, resources: request }];
  }

  async claim(consumer: string): Promise<boolean> {
    this.claims.add(consumer);
    return true;
  }

  async resize(): Promise<boolean> {
    return true;
  }

  async release(consumer: string): Promise<void> {
    this.claims.delete(consumer);
  }

  async claimsOn(): Promise<Claim[]> {
    return [];
  }

  async report({ uuid }: { uuid: string }): Promise<void> {
    this.#provider = uuid;
  }
}
