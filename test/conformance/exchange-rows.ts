import type { Fernet } from '../../src/crypto/fernet.ts';
import { VALID_STATES } from '../../src/rules/valid-states.ts';
import { placingNode } from './exchange-world.ts';
import type { RecordedExchange, RecordedRows } from './record.ts';

type Row = Record<string, unknown>;

/** The rows of an exchange, and those that its mocked lookups stand for: each made such that the real lookup finds it. */
export function exchangeRows(exchange: RecordedExchange, fernet: Fernet, now: number): RecordedRows {
  const rows: RecordedRows = { ...exchange.rows };
  rows.registry = (rows.registry ?? []).map((row) =>
    typeof row.password === 'string' ? { ...row, password: fernet.encrypt(row.password, now) } : row,
  );
  addMocked(exchange, rows);
  if (exchange.conditions.includes('state_check_passes')) rows.container = (rows.container ?? []).map(inPassingState(exchange));
  if (exchange.compute.some(({ method }) => method === 'container_create')) addPlacingNode(exchange, rows, now);
  return rows;
}

function addMocked({ mocks, request, row_sources: sources }: RecordedExchange, rows: RecordedRows): void {
  const isOfCapsules = mocks.some(({ name }) => name.includes('.Capsule.'));
  const isListed = mocks.some(({ name }) => name.endsWith('.list'));
  rows.container = (rows.container ?? [])
    // What a mocked lookup of a page's marker returned is no row of the list.
    .filter((_row, index) => !(isListed && /\.get_by_\w+$/.test(sources.container?.[index] ?? '')))
    .map((row) => (isOfCapsules ? { ...row, container_type: 1 } : row));
  for (const { name, args, returns } of mocks) {
    const { $object: kind, fields } = (returns ?? {}) as { $object?: string; fields?: Row };
    if (name === 'zun.api.utils.get_resource' && kind === 'Container' && fields)
      rows.container = [{ ...fields, cpuset: {}, container_type: 0 }];
    if (name.endsWith('ComputeNode.get_by_name')) rows.compute_node = named(rows.compute_node, 'hostname', args[0]);
    if (name.endsWith('ZunNetwork.list'))
      rows.network = (rows.network ?? []).map((row) => ({ ...row, neutron_net_id: lastSegment(request.path) }));
    if (name.endsWith('ZunService.get_by_host_and_binary') && !rows.zun_service?.length) {
      rows.zun_service = [{ host: args[0], binary: args[1], disabled: 0, forced_down: 0, report_count: 0 }];
    }
  }
}

const named = (rows: Row[] | undefined, column: string, value: unknown): Row[] =>
  (rows ?? []).map((row) => ({ ...row, [column]: row[column] ?? value }));

/** A test that mocked the state check away has its container in a state that passes. */
function inPassingState({ request }: RecordedExchange): (row: Row) => Row {
  const byMethod: Record<string, string> = { DELETE: 'delete', PATCH: 'update' };
  const action = byMethod[request.method] ?? lastSegment(request.path);
  const states: readonly string[] | undefined = VALID_STATES[action as keyof typeof VALID_STATES];
  return (row) => (states && !states.includes(String(row.status)) ? { ...row, status: states[0] } : row);
}

/** The compute API that a test mocked placed nothing; here a node must be there. */
function addPlacingNode({ request }: RecordedExchange, rows: RecordedRows, now: number): void {
  const { availability_zone: zone = 'nova' } = (request.json ?? {}) as { availability_zone?: string };
  rows.compute_node = [...(rows.compute_node ?? []), { uuid: placingNode.rp_uuid, ...placingNode, mem_total: 1024, cpus: 1 }];
  const service = { host: placingNode.hostname, binary: 'zun-compute', disabled: 0, forced_down: 0, report_count: 1 };
  rows.zun_service = [...(rows.zun_service ?? []), { ...service, last_seen_up: secondsOf(now), availability_zone: zone }];
}

const lastSegment = (path: string): string => path.split('/').filter(Boolean).at(-1) ?? '';
const secondsOf = (now: number): string => new Date(now).toISOString().slice(0, 19);
