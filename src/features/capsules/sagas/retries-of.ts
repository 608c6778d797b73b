import type { Container } from '../../containers/container.ts';

/** How often the row's policy lets an init container run again: Docker's `on-failure` with 0 has no limit. Pure. */
export function retriesOf({ restartPolicy }: Pick<Container, 'restartPolicy'>): number {
  if (restartPolicy?.Name !== 'on-failure') return 0;
  const count = Number(restartPolicy.MaximumRetryCount ?? 0);
  return count === 0 ? Number.POSITIVE_INFINITY : count;
}
