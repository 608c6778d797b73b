/** Cores and MiB; absent members stay as they are. */
export interface WantedLimits {
  cpu?: number;
  memoryMiB?: number;
}

/** The limits as Docker's API has them; memory in bytes. */
export interface EngineLimits {
  CpuShares?: number;
  Memory?: number;
  MemorySwap?: number;
}

/**
 * Zun's docker/driver.py `create` and `update`: cores are relative shares of 1024 each, memory is MiB. Memory with swap is twice
 * the memory at create (Docker's default) and here at update too: the original lifts that limit altogether when it updates.
 */
export function resourceLimits(wanted: WantedLimits): EngineLimits {
  const limits: EngineLimits = {};
  // Docker reads 0 as "unlimited" and raises 1 to the kernel's least, 2.
  if (wanted.cpu !== undefined) limits.CpuShares = Math.max(2, Math.trunc(1024 * wanted.cpu));
  if (wanted.memoryMiB !== undefined) {
    limits.Memory = wanted.memoryMiB * 1024 * 1024;
    limits.MemorySwap = limits.Memory * 2;
  }
  return limits;
}
