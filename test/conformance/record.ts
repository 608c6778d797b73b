import { readFileSync } from 'node:fs';

/** A request as recorded; `json` or `raw` is its body. */
export interface RecordedRequest {
  method: string;
  path: string;
  query: string;
  headers: Record<string, string>;
  json?: unknown;
  raw?: string;
}

export interface RecordedResponse {
  status: number;
  headers: Record<string, string>;
  json?: unknown;
  raw?: string;
}

/** Rows by table, JSON columns and booleans as JSON values, times as `2026-03-01T12:00:00`. */
export type RecordedRows = Record<string, Record<string, unknown>[]>;

export interface RecordedIdentity {
  user_id: string;
  user_name?: string;
  project_id: string;
  project_name?: string;
  roles: string[];
}

/** A call that the original made to a node or another service while it answered. */
export interface RecordedCall {
  kind: 'call' | 'cast' | 'scheduler' | 'neutron' | 'cinder';
  method: string;
  args: Record<string, unknown>;
  returns?: unknown;
  raises?: string;
}

/** A line of `probes.jsonl`. */
export interface Probe {
  id: string;
  request: RecordedRequest;
  response: RecordedResponse | { crash: unknown };
  calls: RecordedCall[];
  db: Record<string, RowChanges>;
  volatile: string[];
  bug?: boolean;
  scenario?: { rpc?: string; sched?: string; cinder?: string };
  config?: Record<string, Record<string, unknown>>;
  policy?: Record<string, string>;
}

export interface RowChanges {
  inserted?: Record<string, unknown>[];
  updated?: { key: unknown[]; set: Record<string, unknown> }[];
  deleted?: unknown[];
}

/** `probes-seed.json`: the world of every probe. */
export interface ProbeSeed {
  now: string;
  identities: Record<string, RecordedIdentity>;
  rows: RecordedRows;
  neutron: { networks: SeedNetwork[]; ports: SeedPort[]; security_groups: { id: string; name: string; tenant_id: string }[] };
  cinder: SeedVolume[];
  config: Record<string, string>;
}

export interface SeedNetwork {
  id: string;
  name: string;
  tenant_id: string;
  shared: boolean;
  'router:external': boolean;
  created_at: string;
}

export interface SeedPort {
  id: string;
  name: string;
  network_id: string;
  tenant_id: string;
  device_id: string;
  status: string;
  'binding:vnic_type': string;
  'binding:vif_type'?: string;
}

export interface SeedVolume {
  id: string;
  name: string;
  attachments: unknown[];
  multiattach: boolean;
  'os-vol-tenant-attr:tenant_id'?: string;
}

/** A line of `exchanges.jsonl`. */
export interface RecordedExchange {
  id: string;
  test: string;
  request: RecordedRequest;
  response: RecordedResponse;
  identity: RecordedIdentity | null;
  policy: {
    rules: Record<string, string> | null;
    enforce_mocked: boolean;
    can_mocked: boolean;
    checked: { rule: string; returns: unknown }[];
  };
  config: { group: string; name: string; value: string }[];
  patched: string[];
  rows: RecordedRows;
  /** Where each row is from: `db`, or the lookup that returned it. */
  row_sources: Record<string, string[]>;
  compute: { layer: string; method: string; kwargs: Record<string, unknown>; returns?: unknown; raises?: RecordedException }[];
  mocks: { name: string; args: unknown[]; kwargs: Record<string, unknown>; returns?: unknown; raises?: RecordedException }[];
  /** The tables that changed, after the request. */
  db_changed: RecordedRows;
  conditions: string[];
  volatile: string[];
}

export interface RecordedException {
  $exception: string;
  code?: number;
  message: string;
}

/** The records of a file of JSON lines. */
export function readRecords<T>(file: string): T[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);
}
