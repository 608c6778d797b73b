import { contractText } from '../../contract/vectors.ts';
import type { SeenRequest } from './recording-proxy.ts';

/** A line of `contract/client-calls.jsonl`: a call of python-zunclient 5.5.0 and what it sent. */
export interface RecordedCall {
  kind: 'sdk' | 'sdk-error' | 'cli';
  call: string;
  api_version: string;
  /** Keyword arguments of an SDK call, words of a command. */
  args: Record<string, unknown> | string[];
  requests: RecordedRequest[];
  error?: { class: string; message: string };
  columns?: string[];
}

interface RecordedRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  json?: unknown;
}

export const recordedCalls: RecordedCall[] = contractText('client-calls.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as RecordedCall);

export const describeCall = ({ call, args }: RecordedCall): string =>
  `${call} ${Array.isArray(args) ? args.join(' ') : JSON.stringify(args)}`;

/** What of a request has to be the same. An archive has the time of its making in it. */
interface ComparedRequest {
  method: string;
  path: string;
  query: string[][];
  headers: Record<string, string>;
  json: unknown;
}

const comparedHeaders = ['accept', 'content-type', 'openstack-api-version'];

/** Requests without repetitions: how often a client polls, or tries again with a new token, depends on the answers. */
export function comparedRecord({ requests }: RecordedCall): ComparedRequest[] {
  return withoutRepetitions(requests.map(({ headers, ...request }) => compared(request, lowerCase(headers), request.json)));
}

/** The same of what was seen. Discovery of the version is the session's, not the call's, unless it was recorded. */
export function comparedSeen(seen: SeenRequest[], record: RecordedCall): ComparedRequest[] {
  const discovers = record.requests.some(({ path }) => path === '/');
  const own = seen.filter(({ path }) => discovers || path !== '/');
  return withoutRepetitions(
    own.map((request) => compared(request, request.headers, request.body === '' ? undefined : JSON.parse(request.body))),
  );
}

function compared(
  request: { method: string; path: string; query: string },
  headers: Record<string, string>,
  json: unknown,
): ComparedRequest {
  const query = [...new URLSearchParams(request.query)].sort(([a], [b]) => String(a).localeCompare(String(b)));
  const kept = comparedHeaders.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]]));
  const isArchive = request.path.endsWith('/put_archive');
  return { method: request.method, path: request.path, query, headers: Object.fromEntries(kept), json: isArchive ? typeof json : json };
}

const lowerCase = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function withoutRepetitions(requests: ComparedRequest[]): ComparedRequest[] {
  return requests.filter((request, index) => JSON.stringify(request) !== JSON.stringify(requests[index - 1]));
}
