import { parseVersionHeader, VERSION_HEADER } from '../../rules/version-header.ts';
import { maximumMinor, minimumMinor, versionText } from '../api-version.ts';
import { EdgeError } from '../edge-error.ts';
import type { Exchange, PipelineStep } from './exchange.ts';

const latest = { major: 1, minor: maximumMinor };

/**
 * Negotiates the microversion for everything under `/v1`.
 * A well-formed version out of range is 406; the original crashes there.
 * Origin: zun/api/controllers/versions.py, zun/api/controllers/v1/__init__.py (_route).
 */
export const versionStep: PipelineStep = (exchange) => {
  if (exchange.segments[0] !== 'v1') return undefined;
  const version = parseVersionHeader(exchange.headers[VERSION_HEADER.toLowerCase()], latest);
  if (version.problem !== undefined) throw new EdgeError(406, version.problem);
  const text = `${version.major}.${version.minor}`;
  const range = `[container ${versionText(minimumMinor)}, container ${versionText(maximumMinor)}]`;
  if (version.major !== 1) {
    throw new EdgeError(
      406,
      `Mutually exclusive versions requested. Version ${text} requested but not supported by this service. The supported version range is: ${range}.`,
    );
  }
  if (version.minor < minimumMinor || version.minor > maximumMinor) {
    throw new EdgeError(
      406,
      `Version ${text} was requested but the minor version is not supported by this service. The supported version range is: ${range}.`,
    );
  }
  exchange.version = version.minor;
  return undefined;
};

/** Puts the version headers on the answer. */
export function announceVersion({ segments, version, replyHeaders }: Exchange): void {
  if (segments[0] !== 'v1') return;
  replyHeaders['openstack-api-minimum-version'] = `container ${versionText(minimumMinor)}`;
  replyHeaders['openstack-api-maximum-version'] = `container ${versionText(maximumMinor)}`;
  replyHeaders['openstack-api-version'] = `container ${versionText(version)}`;
  replyHeaders.vary = replyHeaders.vary ? `${VERSION_HEADER},${replyHeaders.vary}` : VERSION_HEADER;
}
