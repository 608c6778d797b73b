import type { KubeClient, KubeQuery } from './kube-client.ts';
import { listMapped, type ObjectList } from './list-mapped.ts';

/** All objects as they are, as of one moment: see `listMapped`, which is for those of whom there may be many. */
export function listObjects<T>(
  client: KubeClient,
  path: string,
  query: KubeQuery,
  signal?: AbortSignal,
  accept?: string,
): Promise<ObjectList<T>> {
  return listMapped<T, T>(client, { path, query, signal, accept }, (object) => [object]);
}
