import { acceptsJson } from '../accept.ts';
import { versionText } from '../api-version.ts';
import { EdgeError } from '../edge-error.ts';
import type { Endpoint, Router } from '../router.ts';
import type { Exchange, PipelineStep } from './exchange.ts';
import { announceVersion } from './version.ts';

/** Finds the operation and the version range that serves the negotiated version; whom it finds none for learns no version either. */
export function routingStep(router: Router): PipelineStep {
  return (exchange) => {
    const resolution = router.resolve(exchange.method, exchange.segments);
    if (resolution.kind === 'no-method') throw new EdgeError(405, '', { allow: resolution.allow.join(', ') });
    if (resolution.kind === 'too-short') throw new EdgeError(404, '');
    if (!exchange.isJson && !acceptsJson(exchange.headers.accept)) throw new EdgeError(406, '');
    if (resolution.kind === 'no-route') {
      if (resolution.endpoints) requireVersionOf(resolution.endpoints, exchange);
      throw new EdgeError(404, hasFileType(exchange) ? null : '');
    }
    exchange.match = resolution.match;
    exchange.endpoint = requireVersionOf(resolution.match.endpoints, exchange);
    announceVersion(exchange);
    return undefined;
  };
}

function requireVersionOf(endpoints: Endpoint[], { version }: Exchange): Endpoint {
  const endpoint = endpoints.find(({ min, max }) => version >= min && version <= max);
  if (endpoint) return endpoint;
  throw new EdgeError(406, `Version ${versionText(version)} was requested but the requested API is not supported for this version.`);
}

/** The original takes `containers.xml` for a document of that type, which nothing serves, and has then nothing to say. */
const hasFileType = ({ segments }: Exchange): boolean => /.\.[a-z]\w*$/i.test(segments.at(-1) ?? '');
