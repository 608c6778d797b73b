import type { Clock } from '../../../telemetry/clock.ts';
import type { Ids } from '../../../telemetry/ids.ts';
import type { KubeQuery } from './kube-client.ts';

export type WatchEvent<T> =
  /** All there is, which replaces what was known. */
  | { type: 'listed'; items: T[]; resourceVersion: string }
  /** May come twice, and as `added` for what was listed: the object counts, not the word. */
  | { type: 'added' | 'modified' | 'deleted'; object: T };

/**
 * What a watch meets: `begun`, where nothing is listed, once it is known from where on changes come; `connected` each time that the server
 * tells from there; events of the server (`bookmark` too, which is not passed on), lists, and why it began anew: `ended` by the server in good
 * order, `silent` beyond the idle deadline, `expired` (410: listed again), `failed`.
 */
export type WatchHappening =
  | 'begun'
  | 'connected'
  | 'listed'
  | 'added'
  | 'modified'
  | 'deleted'
  | 'bookmark'
  | 'ended'
  | 'silent'
  | 'expired'
  | 'failed';

/** Hears of every happening; `failed` and `expired` bring the error. May not throw. */
export type WatchObserver = (happening: WatchHappening, error?: Error) => void;

export interface WatchOptions {
  /** Of the collection: `/api/v1/pods`, `/api/v1/namespaces/n/secrets`. */
  path: string;
  /** `labelSelector`, `fieldSelector`. */
  query: KubeQuery;
  /** Another shape of the list, `…;as=PartialObjectMetadataList;…`. Events come in the same without `List`: no shape does for both. */
  accept?: string;
  clock: Clock;
  signal: AbortSignal;
  /** So often everything is listed again, whatever the watch says; `Infinity` for never. */
  relistMilliseconds: number;
  /** Without a byte for so long the connection is given up. More than a minute: bookmarks come about that often. */
  idleMilliseconds: number;
  /** False: no list and no `listed`; what changes from now on. Then a version that is lost (410) is thrown as `KubeError`. */
  listAtStart?: boolean;
  /** Goes on from this version, which the caller has seen an object at, instead of listing at first. */
  from?: string;
  observer?: WatchObserver;
  ids?: Ids;
}
