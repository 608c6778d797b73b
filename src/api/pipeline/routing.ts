import { versionText } from '../api-version.ts';
import { EdgeError } from '../edge-error.ts';
import type { Router } from '../router.ts';
import type { PipelineStep } from './exchange.ts';

/** Finds the operation and the version range that serves the negotiated version. */
export function routingStep(router: Router): PipelineStep {
  return (exchange) => {
    const resolution = router.resolve(exchange.method, exchange.segments);
    if (resolution.kind === 'no-route') throw new EdgeError(404, '');
    if (resolution.kind === 'no-method') throw new EdgeError(405, '', { allow: resolution.allow.join(', ') });
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
    return undefined;
  };
}
