import { compareJson } from './compare-json.ts';
import type { Difference } from './outcome.ts';
import type { RecordedRequest, RecordedResponse } from './record.ts';

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  body: string;
}

/** What frames a message, and what an HTTP server adds: not the application's. */
const framing = new Set(['content-length', 'connection', 'date', 'keep-alive', 'transfer-encoding']);

/** The places where an answer differs from the recorded one: status, headers, body. */
export function compareAnswer(request: RecordedRequest, recorded: RecordedResponse, answer: Answer, volatile: string[]): Difference[] {
  if (recorded.status !== answer.status) {
    return [
      { place: 'status', expected: recorded.status, actual: answer.status },
      { place: 'body', expected: errorText(recorded.json) ?? recorded.json, actual: errorText(parsed(answer.body)) ?? answer.body },
    ];
  }
  const differences = compareHeaders(recorded.headers, answer.headers, new Set(volatile));
  // HTTP gives these no body, whatever the application made.
  if (request.method === 'HEAD' || answer.status === 204) return differences;
  if (recorded.json === undefined) {
    if ((recorded.raw ?? '') !== answer.body) differences.push({ place: 'body', expected: recorded.raw ?? '', actual: answer.body });
    return differences;
  }
  const ignored = new Set(volatile);
  return [...differences, ...compareJson(recorded.json, parsed(answer.body), { place: 'body', pointer: '/response/json', ignored })];
}

function compareHeaders(recorded: Record<string, string>, actual: Record<string, unknown>, volatile: ReadonlySet<string>): Difference[] {
  const expected = new Map<string, string>();
  const ignored = new Set(framing);
  for (const [name, value] of Object.entries(recorded)) {
    expected.set(name.toLowerCase(), value);
    if (volatile.has(`/response/headers/${name}`)) ignored.add(name.toLowerCase());
  }
  const differences: Difference[] = [];
  for (const name of new Set([...expected.keys(), ...Object.keys(actual)])) {
    const [one, other] = [expected.get(name), actual[name]];
    const presence = (value: unknown) => (ignored.has(name) && value !== undefined ? 'any' : value);
    if (!framing.has(name) && presence(one) !== presence(other))
      differences.push({ place: `header ${name}`, expected: one, actual: other });
  }
  return differences;
}

/** What an answer's body says, when it is an error document. */
export function errorText(json: unknown): string | undefined {
  const document = json as { errors?: { code?: string; detail?: string }[] } | null | undefined;
  const [error] = Array.isArray(document?.errors) ? document.errors : [];
  return error && `${error.code}: ${error.detail}`;
}

export function parsed(body: string): unknown {
  if (body === '') return undefined;
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
