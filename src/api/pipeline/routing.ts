import { mixedParams } from '../../validation/mixed-params.ts';
import { acceptsJson } from '../accept.ts';
import { versionText } from '../api-version.ts';
import { EdgeError } from '../edge-error.ts';
import type { Router } from '../router.ts';
import type { Exchange, PipelineStep } from './exchange.ts';
import { announceVersion } from './version.ts';

/** Finds the operation and the version range that serves the negotiated version; whom it finds none for learns no version either. */
export function routingStep(router: Router): PipelineStep {
  return (exchange) => {
    const resolution = router.resolve(methodOf(exchange), exchange.segments);
    if (resolution.kind === 'no-method') throw new EdgeError(405, '', { allow: resolution.allow.join(', ') });
    if (!acceptsJson(exchange.headers.accept)) throw new EdgeError(406, '');
    if (resolution.kind === 'no-route') throw new EdgeError(404, hasFileType(exchange) ? null : '');
    const { match } = resolution;
    const endpoint = match.endpoints.find(({ min, max }) => exchange.version >= min && exchange.version <= max);
    if (!endpoint) {
      throw new EdgeError(
        406,
        `Version ${versionText(exchange.version)} was requested but the requested API is not supported for this version.`,
      );
    }
    exchange.match = match;
    exchange.endpoint = endpoint;
    announceVersion(exchange);
    return undefined;
  };
}

/** `_method` in the query stands for methods that a browser can't send, but not in a GET. Origin: pecan/rest.py (_route). */
function methodOf({ method, rawQuery }: Exchange): string {
  const override = rawQuery.includes('_method') ? mixedParams(rawQuery)._method : undefined;
  if (typeof override !== 'string') return method;
  if (method === 'GET' && /^(delete|put)$/i.test(override)) throw new EdgeError(405, '');
  return override.toUpperCase();
}

/** The original takes `containers.xml` for a document of that type, which nothing serves, and has then nothing to say. */
const hasFileType = ({ segments }: Exchange): boolean => /.\.[a-z]\w*$/i.test(segments.at(-1) ?? '');
