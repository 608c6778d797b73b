import { pythonNumber } from '../validation/python-number.ts';

/** The header that carries the version asked for: `container 1.40`. */
export const VERSION_HEADER = 'OpenStack-API-Version';

/** A version number, or the sentence for a 406 answer. Whether the service has that version is not decided here. */
export type ParsedVersion = { major: number; minor: number; problem?: never } | { problem: string };

/**
 * Reads the version header; without one the version is 1.1. `latest` is taken from any service, a number only from `container`.
 * Origin: zun/api/controllers/versions.py, Version.parse_headers.
 */
export function parseVersionHeader(header: string | undefined, latest: { major: number; minor: number }): ParsedVersion {
  const words = (header ?? 'container 1.1').split(/\s+/).filter(Boolean);
  const [service, version] = words;
  if (words.length !== 2 || version === undefined) {
    return { problem: `Invalid service type for ${VERSION_HEADER} header` };
  }
  if (version.toLowerCase() === 'latest') {
    return latest;
  }
  if (service !== 'container') {
    return { problem: `Invalid service type for ${VERSION_HEADER} header` };
  }
  const [major, minor, ...more] = version.split('.').map(pythonNumber);
  if (typeof major !== 'number' || typeof minor !== 'number' || more.length > 0) {
    return { problem: `Invalid value for ${VERSION_HEADER} header` };
  }
  return { major, minor };
}
