import { STATUS_CODES } from 'node:http';
import { ZunError } from '../errors/zun-error.ts';
import { prefersJson } from './accept.ts';
import { EdgeError } from './edge-error.ts';

export interface ErrorReply {
  status: number;
  body: unknown;
  headers: Record<string, string>;
  /** Set for defects: what ties the answer to the log. */
  correlationId: string | null;
}

/**
 * The answer to an error. Client errors carry their sentence; a defect carries a correlation id that the log
 * has too. Origin: zun/api/middleware/parsable_error.py, zun/common/exception.py (wrap_controller_exception).
 */
export function errorReply(error: unknown, accept: string | undefined, newId: () => string): ErrorReply {
  // A 503 has no Retry-After: python-zunclient 5.5.0 (from_response) hands it to exceptions that take none, and shows that fault instead.
  if (error instanceof ZunError && (error.status < 500 || error.status === 503)) {
    return {
      status: error.status,
      body: errorDocument(error.status, error.code, error.message, error.message),
      headers: {},
      correlationId: null,
    };
  }
  if (error instanceof EdgeError) {
    return { status: error.status, body: edgeDocument(error, accept), headers: error.headers, correlationId: null };
  }
  const correlationId = newId();
  const detail = `Your request could not be handled because of a problem in the server. Error Correlation id is: ${correlationId}`;
  return { status: 500, body: errorDocument(500, 'container.', reasonPhrase(500), detail), headers: {}, correlationId };
}

/** `errors[0]` as every client reads it. `request_id` is always empty, as in the original. */
export function errorDocument(status: number, code: string, title: string, detail: string | null): unknown {
  return { errors: [{ request_id: '', code, status, title, detail, links: [] }] };
}

/** What the router refuses is said only to those who ask for JSON: the rest get an empty document, as from the original. */
function edgeDocument({ status, detail }: EdgeError, accept: string | undefined): unknown {
  if (status === 401) return unauthorizedDocument;
  const isOfRouter = status === 404 || status === 405 || status === 406;
  return isOfRouter && !prefersJson(accept)
    ? errorDocument(status, 'container.', '', '')
    : errorDocument(status, 'container.', reasonPhrase(status), detail);
}

const unauthorizedDocument = {
  error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
};

const reasonPhrase = (status: number): string => STATUS_CODES[status] ?? 'Error';
