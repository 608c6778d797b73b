import { mixedParams } from '../../validation/mixed-params.ts';
import { plainJson } from '../../validation/plain-json.ts';
import { parsePythonJson } from '../../validation/python-json.ts';
import { isPythonDict, type PythonDict } from '../../validation/python-value.ts';
import type { Exchange, PipelineStep } from './exchange.ts';

/**
 * Reads the query, to which a form in the body adds, and merges a JSON object in the body with it. Any other body counts as none, as
 * Pecan has it.
 */
export const parametersStep: PipelineStep = (exchange) => {
  exchange.query = mixedParams(isForm(exchange) ? `${exchange.rawQuery}&${exchange.rawBody.toString('utf8')}` : exchange.rawQuery);
  exchange.checkedParams = mixed(exchange.query, jsonBody(exchange));
  exchange.params = { ...(plainJson(exchange.checkedParams) as Record<string, unknown>), ...exchange.match?.positional };
  return undefined;
};

/** A parameter of both is a list of what each says. Origin: WebOb's NestedMultiDict.mixed(). */
function mixed(query: Record<string, string | string[]>, body: PythonDict): PythonDict {
  const both: PythonDict = { ...query, ...body };
  for (const name of Object.keys(query)) {
    const value = body[name];
    if (value !== undefined) both[name] = [...[query[name] ?? ''].flat(), value];
  }
  return both;
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
