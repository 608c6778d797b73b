import type { Settings } from '../../src/config/settings.ts';
import { Fernet } from '../../src/crypto/fernet.ts';
import { type Answer, compareAnswer, errorText, parsed } from './compare-answer.ts';
import { compareRows } from './compare-rows.ts';
import { compareTasks } from './compare-tasks.ts';
import { nodeMadeUuid } from './node-made-uuid.ts';
import type { Difference, Outcome } from './outcome.ts';
import { probeWorld } from './probe-world.ts';
import type { Probe, ProbeSeed, RecordedRequest, RecordedRows } from './record.ts';
import { ReplayCore, type Variant } from './replay-core.ts';
import { ReplayDatabase, type TableRow } from './replay-database.ts';

/** Replays probes, each on the seed's database at the seed's time. */
export async function replayProbes(seed: ProbeSeed, probes: Probe[]): Promise<Outcome[]> {
  const fernet = new Fernet('conformance-conformance-conformance');
  const now = Date.parse(`${seed.now}Z`);
  const database = await ReplayDatabase.open();
  const core = new ReplayCore({
    database,
    fernet,
    now,
    host: seed.config['DEFAULT.host'] ?? 'api-host',
    authority: 'localhost:9517',
    identityUrl: seed.config['keystone_authtoken.www_authenticate_uri'] ?? '',
  });
  const rows = sealedRows(seed.rows, fernet, now);
  await database.fill(rows);
  const before = openedTables(await database.tables(), fernet);
  const outcomes: Outcome[] = [];
  for (const probe of probes) {
    await database.fill(rows);
    const answer = await core.send(probeWorld(seed, probe), variantOf(seed, probe), probe.request);
    const differences = compareProbe(probe, answer);
    if (differences.length === 0) {
      const after = (await database.isChanged()) ? openedTables(await database.tables(), fernet) : before;
      differences.push(...compareRows(probe.db, before, after, new Set(probe.volatile)));
      differences.push(...compareTasks(probe.calls, await database.rows('openkeel_task')));
    }
    outcomes.push({
      kind: 'probe',
      id: probe.id,
      title: titleOf(probe.request),
      status: answer.status,
      differences,
      recordedDefect: probe.bug === true,
      properRefusal: probe.bug === true && isProperRefusal(answer),
    });
  }
  await core.close();
  return outcomes;
}

function compareProbe(probe: Probe, answer: Answer): Difference[] {
  if ('crash' in probe.response) return [{ place: 'status', expected: 'crash', actual: answer.status }];
  return compareAnswer(probe.request, probe.response, answer, [...probe.volatile, ...nodeMadeUuid(probe.response, probe.calls)]);
}

/** A refusal that says what is wrong with the request; where the original crashed on what it could have done, doing it is proper too. */
export function isProperRefusal(answer: Answer): boolean {
  if (answer.status < 400) return true;
  return answer.status < 500 && errorText(parsed(answer.body)) !== undefined;
}

export const titleOf = ({ method, path, query }: RecordedRequest): string => `${method} ${path}${query ? `?${query}` : ''}`;

/** The seed gives registry passwords in clear; the column holds tokens. */
function sealedRows(rows: RecordedRows, fernet: Fernet, now: number): RecordedRows {
  const registry = (rows.registry ?? []).map((row) =>
    typeof row.password === 'string' ? { ...row, password: fernet.encrypt(row.password, now) } : row,
  );
  return { ...rows, registry };
}

/** The other way round: records say what a password is. */
export function openedTables(tables: Record<string, TableRow[]>, fernet: Fernet): Record<string, TableRow[]> {
  const registry = (tables.registry ?? []).map((row) => ({
    ...row,
    password: row.password === null ? null : fernet.decrypt(String(row.password)),
  }));
  return { ...tables, registry };
}

function variantOf(seed: ProbeSeed, { config = {}, policy = {} }: Probe): Variant {
  return {
    key: JSON.stringify([config, policy]),
    rules: null,
    overrides: policy,
    settings: (settings: Settings) => {
      settings.api.allowedOrigins = (seed.config['cors.allowed_origin'] ?? '').split(',').filter((origin) => origin !== '');
      const { containers } = settings;
      Object.assign(containers.quotaDefaults, config.quota);
      const { unique_container_name_scope: scope } = config.compute ?? {};
      if (scope === 'project' || scope === 'global') containers.uniqueNameScope = scope;
      const { max_limit: maximumPageSize } = config.api ?? {};
      if (typeof maximumPageSize === 'number') containers.maximumPageSize = maximumPageSize;
    },
  };
}
