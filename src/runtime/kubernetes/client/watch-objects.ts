import type { KubeClient } from './kube-client.ts';
import { ObjectWatch } from './object-watch.ts';
import type { WatchEvent, WatchOptions } from './watch-options.ts';

/**
 * Objects as they are (unless the caller knows, `from`) and then as they change, until the signal aborts. Whatever fails is tried again with
 * growing pauses; a list that fails yields nothing. A consumer that is slow keeps the connection from being read. One that leaves the loop
 * closes it.
 */
export async function* watchObjects<T>(client: KubeClient, options: WatchOptions): AsyncGenerator<WatchEvent<T>> {
  const watch = new ObjectWatch<T>(client, options);
  try {
    while (!options.signal.aborted) {
      for (const event of await watch.next()) {
        yield event;
        if (options.signal.aborted) return;
      }
    }
  } finally {
    watch.close();
  }
}
