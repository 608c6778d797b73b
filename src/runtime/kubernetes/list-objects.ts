import type { KubeClient, KubeQuery } from './kube-client.ts';
import { KubeError } from './kube-error.ts';

export interface ObjectList<T> {
  items: T[];
  /** The state of the cluster that the list shows; a watch goes on from it. */
  resourceVersion: string;
}

interface Page<T> {
  metadata?: { resourceVersion?: string; continue?: string };
  items?: T[] | null;
}

/** What Kubernetes' own clients ask for at once. */
const pageSize = 500;
/** The server keeps a list for its pages about five minutes; who is slower than that so often gets it in one piece. */
const mostAttempts = 3;

/**
 * All objects, page by page, as of one moment. A page that can't be had fails the whole list; a list whose continuation has expired
 * (410) is begun again. `accept` asks for another shape, such as `application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1`.
 */
export async function listObjects<T>(
  client: KubeClient,
  path: string,
  query: KubeQuery,
  signal?: AbortSignal,
  accept?: string,
): Promise<ObjectList<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await allPages(client, path, { ...query, limit: attempt > mostAttempts ? undefined : pageSize }, signal, accept);
    } catch (error) {
      if (!(error instanceof KubeError && error.status === 410) || attempt > mostAttempts) throw error;
    }
  }
}

async function allPages<T>(
  client: KubeClient,
  path: string,
  query: KubeQuery,
  signal: AbortSignal | undefined,
  accept: string | undefined,
): Promise<ObjectList<T>> {
  const items: T[] = [];
  let resume: string | undefined;
  for (;;) {
    const page: Page<T> = await client.request({
      method: 'GET',
      path,
      query: { ...query, continue: resume },
      signal,
      ...(accept === undefined ? {} : { accept }),
    });
    for (const item of page.items ?? []) items.push(item);
    resume = page.metadata?.continue || undefined;
    if (resume === undefined) return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}
