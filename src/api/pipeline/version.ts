import { type Minor, maximumMinor, minimumMinor, versionText } from '../api-version.ts';
import { EdgeError } from '../edge-error.ts';
import type { PipelineStep } from './exchange.ts';

const header = 'OpenStack-API-Version';

/**
 * Negotiates the microversion for everything under `/v1` and puts the version headers on the answer.
 * A well-formed version out of range is 406; the original crashes there.
 * Origin: zun/api/controllers/versions.py, zun/api/controllers/v1/__init__.py (_route).
 */
export const versionStep: PipelineStep = (exchange) => {
  if (exchange.segments[0] !== 'v1') return undefined;
  const version = requestedVersion(exchange.headers[header.toLowerCase()]);
  const { replyHeaders } = exchange;
  replyHeaders['openstack-api-minimum-version'] = `container ${versionText(minimumMinor)}`;
  replyHeaders['openstack-api-maximum-version'] = `container ${versionText(maximumMinor)}`;
  replyHeaders['openstack-api-version'] = `container ${version}`;
  replyHeaders.vary = replyHeaders.vary ? `${header},${replyHeaders.vary}` : header;
  const minor = /^1\.(\d{1,6})$/.exec(version)?.[1];
  if (minor === undefined || Number(minor) < minimumMinor || Number(minor) > maximumMinor) {
    throw new EdgeError(
      406,
      `Version ${version} was requested but the supported version range is: [${versionText(minimumMinor)}, ${versionText(maximumMinor)}].`,
    );
  }
  exchange.version = Number(minor) as Minor;
  return undefined;
};

/** `container 1.40` → `1.40`; no header is the minimum, `latest` the maximum. */
function requestedVersion(value: string | undefined): string {
  if (value === undefined) return versionText(minimumMinor);
  const [service, version, ...rest] = value.trim().split(/\s+/);
  if (service !== 'container' && service !== 'application-container') throw new EdgeError(406, `Invalid service type for ${header} header`);
  if (version === undefined || rest.length > 0) throw new EdgeError(406, `Invalid service type for ${header} header`);
  if (version === 'latest') return versionText(maximumMinor);
  if (!/^\d+\.\d+$/.test(version)) throw new EdgeError(406, `Invalid value for ${header} header`);
  return version;
}
