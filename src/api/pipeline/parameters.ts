import { mixedParams } from '../../validation/mixed-params.ts';
import { plainJson } from '../../validation/plain-json.ts';
import { parsePythonJson } from '../../validation/python-json.ts';
import { isPythonDict, type PythonDict } from '../../validation/python-value.ts';
import type { Exchange, PipelineStep } from './exchange.ts';

/** Reads the query and merges the JSON body over it. A body that is no JSON object counts as none, as Pecan has it. */
export const parametersStep: PipelineStep = (exchange) => {
  exchange.query = mixedParams(exchange.rawQuery);
  exchange.checkedParams = { ...exchange.query, ...jsonBody(exchange) };
  exchange.params = plainJson(exchange.checkedParams) as Record<string, unknown>;
  return undefined;
};

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
