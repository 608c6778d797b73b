/** Where a version makes a difference; `nothing` = what it describes is served and accepted at every version, as in the original. */
type Enforcement =
  /** Routes that begin with the version (`from`) or ended with the one before (`until`): 406 elsewhere. */
  | { by: 'routes'; from?: readonly string[]; until?: readonly string[] }
  /** A parameter that is refused before the version: 400 `container.invalid-param-in-version`. */
  | { by: 'parameter'; of: string; name: string }
  /** A member that the body's schema refuses before the version: 400. */
  | { by: 'schema'; of: string; name: string }
  /** The same request is read or answered in another way. */
  | { by: 'meaning'; of: readonly string[] }
  | { by: 'nothing' };

interface Microversion {
  version: string;
  /** What came with it, as a heading. */
  words: string;
  enforced: Enforcement;
}

const create = 'POST /v1/containers';
const container = '/v1/containers/{container_ident}';

/**
 * Every version of the API, in order. `docs/REST-API-HISTORY.md` says each in words, and `test/microversions/` holds each.
 * Origin: zun/api/rest_api_version_history.rst, and where zun/api/controllers/v1 checks a version.
 */
export const microversions = [
  { version: '1.1', words: 'The first version', enforced: { by: 'nothing' } },
  { version: '1.2', words: 'A container chooses its networks', enforced: { by: 'nothing' } },
  { version: '1.3', words: 'Containers that are removed when they end', enforced: { by: 'parameter', of: create, name: 'auto_remove' } },
  { version: '1.4', words: 'Hosts', enforced: { by: 'routes', from: ['GET /v1/hosts', 'GET /v1/hosts/{host_ident}'] } },
  { version: '1.5', words: 'A container chooses its runtime', enforced: { by: 'parameter', of: create, name: 'runtime' } },
  { version: '1.6', words: 'Detach a network', enforced: { by: 'routes', from: [`POST ${container}/network_detach`] } },
  { version: '1.7', words: 'Deleting by force has a policy', enforced: { by: 'parameter', of: `DELETE ${container}`, name: 'force' } },
  { version: '1.8', words: 'Attach a network', enforced: { by: 'routes', from: [`POST ${container}/network_attach`] } },
  { version: '1.9', words: 'A container has a hostname', enforced: { by: 'parameter', of: create, name: 'hostname' } },
  { version: '1.10', words: 'Deleting a container does not wait', enforced: { by: 'nothing' } },
  { version: '1.11', words: 'Volumes are mounted', enforced: { by: 'parameter', of: create, name: 'mounts' } },
  { version: '1.12', words: 'Stop, then delete', enforced: { by: 'parameter', of: `DELETE ${container}`, name: 'stop' } },
  { version: '1.13', words: 'The networks of a container', enforced: { by: 'routes', from: [`GET ${container}/network_list`] } },
  { version: '1.14', words: 'A container is renamed by an update', enforced: { by: 'routes', until: [`POST ${container}/rename`] } },
  {
    version: '1.15',
    words: 'Security groups are not changed any more',
    enforced: { by: 'routes', until: [`POST ${container}/add_security_group`, `POST ${container}/remove_security_group`] },
  },
  { version: '1.16', words: 'The restart policy of a capsule stands in its spec', enforced: { by: 'nothing' } },
  { version: '1.17', words: 'Detach a port', enforced: { by: 'nothing' } },
  { version: '1.18', words: 'The networks of a container, by port', enforced: { by: 'meaning', of: [`GET ${container}/network_list`] } },
  { version: '1.19', words: 'Resize a container', enforced: { by: 'routes', from: [`POST ${container}/resize_container`] } },
  { version: '1.20', words: 'A command is a list', enforced: { by: 'schema', of: create, name: 'command' } },
  { version: '1.21', words: 'Privileged containers', enforced: { by: 'parameter', of: create, name: 'privileged' } },
  { version: '1.22', words: 'Health checks', enforced: { by: 'parameter', of: create, name: 'healthcheck' } },
  { version: '1.23', words: 'Files are mounted', enforced: { by: 'nothing' } },
  { version: '1.24', words: 'Ports are exposed', enforced: { by: 'parameter', of: create, name: 'exposed_ports' } },
  {
    version: '1.25',
    words: 'Archives travel as base64',
    enforced: { by: 'meaning', of: [`GET ${container}/get_archive`, `POST ${container}/put_archive`] },
  },
  { version: '1.26', words: 'Quotas', enforced: { by: 'nothing' } },
  { version: '1.27', words: 'Delete a network', enforced: { by: 'routes', from: ['DELETE /v1/networks/{network_ident}'] } },
  { version: '1.28', words: 'CPU policies', enforced: { by: 'nothing' } },
  { version: '1.29', words: 'Hosts tell whether they pin CPUs', enforced: { by: 'nothing' } },
  { version: '1.30', words: 'Registries', enforced: { by: 'nothing' } },
  { version: '1.31', words: 'Images from private registries', enforced: { by: 'parameter', of: create, name: 'registry' } },
  {
    version: '1.32',
    words: 'Capsules look like containers',
    enforced: { by: 'meaning', of: ['GET /v1/capsules', 'POST /v1/capsules', 'GET /v1/capsules/{capsule_ident}'] },
  },
  { version: '1.33', words: 'Actions tell when they ended', enforced: { by: 'nothing' } },
  { version: '1.34', words: 'Init containers', enforced: { by: 'nothing' } },
  { version: '1.35', words: 'Ports of capsules', enforced: { by: 'nothing' } },
  { version: '1.36', words: 'A terminal without an open input', enforced: { by: 'meaning', of: [create] } },
  { version: '1.37', words: 'Terminals and open inputs in capsules', enforced: { by: 'nothing' } },
  { version: '1.38', words: 'Annotations of capsules', enforced: { by: 'nothing' } },
  { version: '1.39', words: 'A container chooses its host', enforced: { by: 'schema', of: create, name: 'host' } },
  { version: '1.40', words: 'A container has an entrypoint', enforced: { by: 'schema', of: create, name: 'entrypoint' } },
] as const satisfies readonly Microversion[];

/** `1.1` … `1.40`. */
export type VersionName = (typeof microversions)[number]['version'];

/** The version before which a route refuses a parameter. Throws when the table has none: a gate that nobody wrote down. */
export function versionOfParameter(route: string, parameter: string): VersionName {
  const row = microversions.find(({ enforced }) => enforced.by === 'parameter' && enforced.of === route && enforced.name === parameter);
  if (!row) throw new Error(`no version brings ${parameter} to ${route}`);
  return row.version;
}
