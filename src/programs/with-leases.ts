import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { LeaseGuard } from '../tasks/lease-guard.ts';
import type { ZunParts } from './zun-parts.ts';

/** The ports of a program, none of which does anything for a task that another worker has by now. */
export function withLeases<Parts extends Pick<ZunParts, 'runtime' | 'images' | 'networking' | 'volumes' | 'inventory'>>(
  parts: Parts,
  leases: LeaseGuard,
): Parts {
  return {
    ...parts,
    runtime: leases.around(parts.runtime, ['capsules' satisfies keyof ContainerRuntime]),
    images: leases.around(parts.images),
    networking: leases.around(parts.networking),
    volumes: leases.around(parts.volumes),
    inventory: leases.around(parts.inventory),
  };
}
