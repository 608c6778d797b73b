import type { Queries } from '../../db/database.ts';
import { type HostLoss, hostLoss } from '../../sync/lost-host.ts';
import type { Clock } from '../../telemetry/clock.ts';
import { nodeServices } from './service-store.ts';

/** What answers which hosts are down by the rows of their services, each with why. One query a time. */
export function hostLosses(clock: Clock, downTimeSeconds: number) {
  return async (queries: Queries): Promise<ReadonlyMap<string, HostLoss>> => {
    const now = clock.now();
    const losses = (await nodeServices(queries)).flatMap((service) => hostLoss(service.host, service, now, downTimeSeconds) ?? []);
    return new Map(losses.map((loss) => [loss.host, loss]));
  };
}
