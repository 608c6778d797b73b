import type { Exchange, PipelineStep } from './exchange.ts';

/** Reads the query and merges the JSON body over it. A body that is no JSON object counts as none, as Pecan has it. */
export const parametersStep: PipelineStep = (exchange) => {
  exchange.query = parseQuery(exchange.rawQuery);
  exchange.params = { ...exchange.query, ...jsonBody(exchange) };
  return undefined;
};

/** WebOb's `params.mixed()`: a name given twice becomes a list. */
export function parseQuery(rawQuery: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const before = Object.hasOwn(query, name) ? query[name] : undefined;
    query[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return query;
}

function jsonBody(exchange: Exchange): Record<string, unknown> {
  if (exchange.rawBody.length === 0) return {};
  try {
    const value: unknown = JSON.parse(exchange.rawBody.toString('utf8'));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
