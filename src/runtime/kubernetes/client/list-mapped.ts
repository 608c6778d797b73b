import type { KubeClient, KubeQuery } from './kube-client.ts';
import { KubeError } from './kube-error.ts';

export interface ObjectList<T> {
  items: T[];
  /** The state of the cluster that the list shows; a watch goes on from it. */
  resourceVersion: string;
}

/** Which objects, and in which shape. */
export interface ListRequest {
  /** Of the collection: `/api/v1/pods`, `/api/v1/namespaces/n/secrets`. */
  path: string;
  query: KubeQuery;
  /** Another shape, such as `metadataOnly`. */
  accept?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** `ListRequest.accept` for the metadata of objects alone. */
export const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

interface Page<T> {
  metadata?: { resourceVersion?: string; continue?: string };
  items?: T[] | null;
}

/** What Kubernetes' own clients ask for at once. */
const pageSize = 500;
/** The server keeps a list for its pages about five minutes; who is slower than that so often gets it in one piece. */
const mostAttempts = 3;

/**
 * What is made of all objects, page by page, as of one moment: an object itself is not kept, and ten thousand Pods are 60 MB of text. A page
 * that can't be had fails the whole list; a list whose continuation has expired (410) is begun again, so `map` may see an object twice.
 */
export async function listMapped<T, R>(client: KubeClient, request: ListRequest, map: (object: T) => R[]): Promise<ObjectList<R>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await allPages(client, request, attempt > mostAttempts ? undefined : pageSize, map);
    } catch (error) {
      if (!(error instanceof KubeError && error.status === 410) || attempt > mostAttempts) throw error;
    }
  }
}

async function allPages<T, R>(
  client: KubeClient,
  { path, query, accept, signal }: ListRequest,
  limit: number | undefined,
  map: (object: T) => R[],
): Promise<ObjectList<R>> {
  const items: R[] = [];
  let resume: string | undefined;
  for (;;) {
    const page: Page<T> = await client.request({
      method: 'GET',
      path,
      query: { ...query, limit, continue: resume },
      signal,
      ...(accept === undefined ? {} : { accept }),
    });
    for (const object of page.items ?? []) items.push(...map(object));
    resume = page.metadata?.continue || undefined;
    if (resume === undefined) return { items, resourceVersion: page.metadata?.resourceVersion ?? '' };
  }
}
