import { errorCode } from '../../../src/errors/error-code.ts';
import { isAllProjects } from '../../../src/rules/all-projects.ts';
import { booleanFromString } from '../../../src/rules/boolean-from-string.ts';
import { nextLink } from '../../../src/rules/collection-next.ts';
import { isoTime } from '../../../src/rules/iso-time.ts';
import { listLimit } from '../../../src/rules/list-limit.ts';
import { type ContainerAddresses, legacyNetworkList, networkList } from '../../../src/rules/network-list-format.ts';
import { serviceIsUp } from '../../../src/rules/service-is-up.ts';
import { sortDirection } from '../../../src/rules/sort-direction.ts';
import { stringOrNone } from '../../../src/rules/string-or-none.ts';
import { withoutTrailingSlashes } from '../../../src/rules/trailing-slashes.ts';
import { isUuidLike } from '../../../src/rules/uuid-like.ts';
import { requireState, type StatefulAction } from '../../../src/rules/valid-states.ts';
import { parseVersionHeader } from '../../../src/rules/version-header.ts';
import type { PythonValue } from '../../../src/validation/python-value.ts';
import { family, type VectorFamily } from './vector-family.ts';

const now = Date.UTC(2026, 2, 1, 12);
const serviceTimes = { last_seen_up: 'lastSeenUp', updated_at: 'updatedAt', created_at: 'createdAt' } as const;

/** Rules of requests, lists and answers. */
export const edgeFamilies: Record<string, VectorFamily> = {
  bool_from_string: family<PythonValue>((value) => booleanFromString(value, 'run'), { exact: true }),
  is_all_projects: family<PythonValue>((value) => isAllProjects(value), { exact: true }),
  is_uuid_like: family<unknown>(isUuidLike as (value: unknown) => boolean),
  string_or_none: family<string>(stringOrNone),
  safe_rstrip: family<string | null>((path) => (path === null ? null : withoutTrailingSlashes(path))),
  validate_limit: family<string | number | boolean | null>((limit) => listLimit(limit, 1000)),
  validate_sort_dir: family<string>(sortDirection),
  excp_to_err_code: family<string>((name) => errorCode(name).slice('container.'.length)),
  strtime: family<string>((time) => recordedPrecision(time, isoTime(Date.parse(`${time}Z`)))),
  valid_states: family<{ action: StatefulAction; status: string }>(({ action, status }) => {
    requireState(action, { uuid: 'u', status });
    return true;
  }),
  version_header: family<string | null>((header) => {
    const version = parseVersionHeader(header ?? undefined, { major: 1, minor: 40 });
    if (version.problem !== undefined) throw Object.assign(new Error(version.problem), { name: 'HTTPNotAcceptable' });
    return `${version.major}.${version.minor}`;
  }),
  service_is_up: family<{ seconds_ago: number; time_in: keyof typeof serviceTimes; forced_down: boolean }>(
    ({ seconds_ago, time_in, forced_down }) => {
      const silent = { lastSeenUp: null, updatedAt: null, createdAt: null };
      return serviceIsUp({ ...silent, [serviceTimes[time_in]]: now - seconds_ago * 1000, forcedDown: forced_down }, now, 180);
    },
  ),
  collection_next: family<{ uuids: string[]; limit: number | null; sort_key?: string; sort_dir?: string; url?: string }>(
    ({ uuids, limit, url, ...parameters }) => nextLink({ uuids, limit, hostUrl: 'http://h:1', resource: url ?? 'containers', parameters }),
  ),
  network_list_format: family<ContainerAddresses>((addresses, vector) => {
    const crashed = (vector['v1.18'] as { error?: unknown }).error;
    const byPort = crashed ? { error: crashed } : { out: networkList(addresses) };
    return { 'v1.13': { out: legacyNetworkList(addresses) }, 'v1.18': byPort };
  }),
};

/** Times here are milliseconds; the last three digits are the record's. */
const recordedPrecision = (recorded: string, made: string) => (/\.\d{6}$/.test(recorded) ? made.slice(0, -3) + recorded.slice(-3) : made);
