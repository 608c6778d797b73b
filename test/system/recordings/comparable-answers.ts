import type { Placeholders } from './placeholders.ts';
import type { RecordedRequest } from './recording.ts';
import { octal, tarEntries } from './tar-entries.ts';

/** Expected and actual in a form in which they can be compared, for the answers that are more than their JSON. */
export function comparableAnswers(
  recorded: RecordedRequest,
  expected: unknown,
  actual: unknown,
  placeholders: Placeholders,
): [unknown, unknown] {
  if (recorded.path.endsWith('/get_archive')) return asArchives(expected, actual);
  return recorded.path.endsWith('/network_list') ? [expected, inOrder(expected, actual, placeholders)] : [expected, actual];
}

interface NetworkList {
  networks?: { net_id: string }[];
}

/** A container's networks have no order. */
function inOrder(expected: unknown, actual: unknown, placeholders: Placeholders): unknown {
  const wanted = (expected as NetworkList).networks?.map(({ net_id }) => placeholders.filled(net_id)) ?? [];
  const networks = (actual as NetworkList).networks?.toSorted((one, other) => wanted.indexOf(one.net_id) - wanted.indexOf(other.net_id));
  return { ...(actual as object), networks };
}

/** The recording cuts the data of archives off and tells what was in them. */
function asArchives(expected: unknown, actual: unknown): [unknown, unknown] {
  const { data: _cut, decoded, decode_error: _unread, ...stat } = expected as Record<string, unknown>;
  const { data, ...ours } = actual as Record<string, unknown>;
  if (!Array.isArray(decoded))
    return [
      { ...stat, data: true },
      { ...ours, data: typeof data === 'string' && data.length > 0 },
    ];
  const entries = decoded.map(([name, size, mode, type]) => [name, size, octal(mode), type]);
  return [
    { ...stat, entries },
    { ...ours, entries: tarEntries(String(data)) },
  ];
}
