import type { Readable } from 'node:stream';
import type { PythonDict } from '../../validation/python-value.ts';
import type { Minor } from '../api-version.ts';
import type { Reply } from '../operation.ts';
import type { RequestContext } from '../request-context.ts';
import type { Endpoint, RouteMatch } from '../router.ts';

/** One request on its way through the pipeline; each step adds what later steps read. */
export interface Exchange {
  /** As the router takes it: `_method` in the query may stand for it. */
  method: string;
  /** Decoded segments; a trailing slash leaves none. */
  segments: string[];
  /** The path asks for JSON, whatever `Accept` says. */
  readonly isJson: boolean;
  readonly rawQuery: string;
  /** Lower-case names. */
  readonly headers: Record<string, string | undefined>;
  /** What the client sends, not yet read; `null` when there is nothing. */
  readonly body: Readable | null;
  /** All of it, once it has been read. */
  rawBody: Buffer;
  readonly baseUrl: string;
  /** Headers of the answer, whatever it will be. */
  readonly replyHeaders: Record<string, string>;
  requestId: string;
  context: RequestContext | null;
  version: Minor;
  match: RouteMatch | null;
  endpoint: Endpoint | null;
  query: Record<string, string | string[]>;
  /** Query and body merged, as the schemas check them. */
  checkedParams: PythonDict;
  /** The same with ordinary numbers, as operations read them. */
  params: Record<string, unknown>;
}

/** Throws to refuse, answers to end the pipeline, or returns nothing to go on. */
export type PipelineStep = (exchange: Exchange) => Promise<Reply | undefined> | Reply | undefined;
