import type { KubeClient } from './kube-client.ts';
import { KubeError } from './kube-error.ts';

/** Makes an object; `null` when one of that name exists. */
export async function createOnce<T>(client: KubeClient, path: string, body: unknown, signal?: AbortSignal): Promise<T | null> {
  try {
    return await client.request<T>({ method: 'POST', path, body, signal });
  } catch (error) {
    if (error instanceof KubeError && error.status === 409 && error.reason === 'AlreadyExists') return null;
    throw error;
  }
}
