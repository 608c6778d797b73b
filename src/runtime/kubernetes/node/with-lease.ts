import type { Ids } from '../../../telemetry/ids.ts';
import type { ContainerdClient } from './containerd-client.ts';

/** After this time containerd takes away a lease whose holder died, and collects what it held. */
const longestMs = 60 * 60_000;

/**
 * Does work under a lease: what it makes in containerd (content, snapshots) is not collected before the work ends, and after it unless an image
 * refers to it. So a failure leaves nothing, also when this process is killed.
 */
export async function withLease<T>(client: ContainerdClient, ids: Ids, work: (lease: string) => Promise<T>): Promise<T> {
  const id = `zun-${ids.uuid()}`;
  const expires = new Date(client.clock.now() + longestMs).toISOString();
  await client.call('containerd.services.leases.v1.Leases/Create', { id, labels: { 'containerd.io/gc.expire': expires } });
  try {
    return await work(id);
  } finally {
    // Else it expires.
    await client.call('containerd.services.leases.v1.Leases/Delete', { id }).catch(() => {});
  }
}
