import { isDeepStrictEqual } from 'node:util';
import type { Tolerance } from './match-json.ts';
import type { Placeholders } from './placeholders.ts';
import type { RecordedRequest } from './recording.ts';

/**
 * What differs from run to run, or is the inside of another program (its traceback), on the original's node as well: seconds of a status, figures of the machine and its processes, in
 * which order two streams were written. Where a text is looked at line by line, each recorded line has to be there.
 */
export function tolerancesOf(request: RecordedRequest, answer: unknown, placeholders: Placeholders): Tolerance {
  // What is started again and again is stopped in the middle of something.
  const endsByChance = /always|unless-stopped/.test(JSON.stringify((answer as { restart_policy?: unknown } | null)?.restart_policy) ?? '');
  const resource = /^\/v1\/(containers\/[^/]+\/)?(?<name>[^/?]+)/.exec(request.path)?.groups?.name ?? '';
  return (path, expected, actual) => {
    const name = path.at(-1) ?? '';
    if (name === 'traceback') return typeof expected === typeof actual;
    if (resource === 'services' && name === 'updated_at') return true;
    if (name === 'status_detail') return detailKind(expected, endsByChance) === detailKind(actual, endsByChance);
    if (resource === 'logs' && path.length === 0)
      return Number(request.query?.tail) > 0 ? asManyLines(expected, actual) : sameLines(expected, actual, placeholders);
    if (resource === 'execute' && name === 'output') return sameLines(expected, actual, placeholders);
    if (resource === 'stats') return sameShape(expected, actual);
    if (resource === 'top' && path[0] === 'Processes') return sameProcesses(path, expected, actual);
    if (resource === 'get_archive') return sameArchive(path, expected, actual);
    if (resource === 'hosts' && machineFigures.has(name)) return typeof expected === typeof actual;
    if (resource === 'services' && name === 'report_count') return typeof actual === 'number';
    if (resource === 'images' && name === 'size') return typeof actual === typeof expected;
    return null;
  };
}

const machineFigures = new Set([
  'mem_total',
  'mem_used',
  'total_containers',
  'cpus',
  'cpu_used',
  'os',
  'kernel_version',
  'disk_total',
  'disk_used',
  'runtimes',
]);

/** `Up 3 seconds` is null in the first second; the age of an exit does not count. */
function detailKind(detail: unknown, endsByChance: boolean): unknown {
  if (detail === null) return 'Up';
  if (endsByChance && typeof detail === 'string' && detail.startsWith('Exited')) return 'Exited';
  return typeof detail === 'string' ? detail.replace(/^Up .*$/s, 'Up').replace(/\d+ (second|minute)s?\b|a minute/g, 'some time') : detail;
}

function sameLines(expected: unknown, actual: unknown, placeholders: Placeholders): boolean | null {
  if (typeof expected !== 'string' || typeof actual !== 'string') return null;
  const left = actual.split('\n');
  for (const line of expected.split('\n')) {
    const found = left.findIndex((candidate) => placeholders.matches(line, candidate));
    if (found < 0) return false;
    left.splice(found, 1);
  }
  return left.length === 0;
}

/** The last lines of two streams are those that were written last. */
const asManyLines = (expected: unknown, actual: unknown): boolean | null =>
  typeof expected === 'string' && typeof actual === 'string' ? expected.split('\n').length === actual.split('\n').length : null;

/** Numbers may be any, in texts too. */
function sameShape(expected: unknown, actual: unknown): boolean | null {
  if (typeof expected === 'number') return typeof actual === 'number';
  if (typeof expected !== 'string' || typeof actual !== 'string') return Array.isArray(expected) ? Array.isArray(actual) : null;
  return /\d/.test(expected) ? /\d/.test(actual) : null;
}

/** Of a process only its command, the last column, is the same every time; which of them is older may be chance. */
function sameProcesses(path: readonly string[], expected: unknown, actual: unknown): boolean | null {
  if (path.length !== 1 || !Array.isArray(expected) || !Array.isArray(actual)) return null;
  const commands = (processes: unknown[]) => processes.map((row) => (Array.isArray(row) ? String(row.at(-1)) : '')).toSorted();
  return isDeepStrictEqual(commands(expected), commands(actual));
}

/** An archive is the same when it has the same files; their times are those of the run. */
function sameArchive(path: readonly string[], expected: unknown, actual: unknown): boolean | null {
  if (path[0] === 'stat' && path[1] === 'mtime') return typeof expected === typeof actual;
  return null;
}
