import type { Minor } from './api-version.ts';
import type { RequestContext } from './request-context.ts';

/**
 * One REST operation: the route of `contract/routes.json` it serves (`POST /v1/containers/{container_ident}/start`)
 * and its handler. Version ranges, schemas, content types and success status come from that row.
 */
export interface Operation {
  route: string;
  handle(request: ApiRequest): Promise<Reply> | Reply;
}

export interface ApiRequest {
  context: RequestContext;
  version: Minor;
  /** Path parameters by the names of the route. */
  path: Record<string, string>;
  /** A parameter given twice is a list. */
  query: Record<string, string | string[]>;
  /** Query and JSON body merged, as the original's handlers receive them; the body wins. */
  params: Record<string, unknown>;
  /** `http://host:port` of the API as the client reached it. */
  baseUrl: string;
}

export interface Reply {
  status: number;
  /** Sent as JSON; `undefined` sends `null`, as the original's handlers that return nothing do. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A row of `contract/routes.json`, as far as the edge uses it. */
export interface RouteRow {
  method: string;
  path: string;
  min: string | null;
  max: string | null;
  auth: boolean;
  content_types?: string[];
  query_schema?: string;
  body_schema?: string;
  /** Parameters that the original's handler names: its body schema does not see them. */
  handler_args?: { required: string[]; optional: string[] };
  success: number;
  policies: string[];
}
