import { schemaValidationError } from '../../errors/catalogue.ts';
import { mixedParams } from '../../validation/mixed-params.ts';
import { plainJson } from '../../validation/plain-json.ts';
import { parsePythonJson } from '../../validation/python-json.ts';
import { isPythonDict, type PythonDict } from '../../validation/python-value.ts';
import type { Exchange, PipelineStep } from './exchange.ts';

/**
 * Reads the query, to which a form in the body adds, and merges a JSON object in the body over it. Any other body counts as none, as
 * Pecan has it.
 * Arguments that the path leaves out are taken from there by name; without one, the request is refused (the original answers 500).
 */
export const parametersStep: PipelineStep = (exchange) => {
  exchange.query = mixedParams(isForm(exchange) ? `${exchange.rawQuery}&${exchange.rawBody.toString('utf8')}` : exchange.rawQuery);
  exchange.checkedParams = { ...exchange.query, ...jsonBody(exchange) };
  exchange.params = { ...(plainJson(exchange.checkedParams) as Record<string, unknown>), ...exchange.match?.positional };
  bindByName(exchange);
  return undefined;
};

function bindByName({ match, params }: Exchange): void {
  for (const name of match?.unbound ?? []) {
    const value = params[name];
    if (typeof value !== 'string' || value === '') throw schemaValidationError(`'${name}' is a required property`);
    if (match) match.path[name] = value;
  }
}

function isForm({ method, headers }: Exchange): boolean {
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  return type === 'application/x-www-form-urlencoded' && method !== 'GET' && method !== 'DELETE';
}

/** As Python would parse it: `1.0` stays apart from `1`, since refusals print the value. */
function jsonBody(exchange: Exchange): PythonDict {
  if (exchange.rawBody.length === 0) return {};
  try {
    const value = parsePythonJson(exchange.rawBody.toString('utf8'));
    return isPythonDict(value) ? value : {};
  } catch {
    return {};
  }
}
