import { existsSync, readFileSync } from 'node:fs';
import type { ToolSettings } from '../config/tool-settings.ts';
import { Fernet } from '../crypto/fernet.ts';
import type { Database } from '../db/database.ts';
import type { Dialect } from '../db/dialect.ts';
import { migrationsOf } from '../db/migrate.ts';
import { schemaState } from '../db/schema-state.ts';

/** As oslo_upgradecheck numbers them; the highest of all checks is the exit status. */
export const checkCodes = { success: 0, warning: 1, failure: 2 } as const;
export type CheckCode = (typeof checkCodes)[keyof typeof checkCodes];

export interface CheckResult {
  check: string;
  result: CheckCode;
  details: string | null;
}

interface Outcome {
  result: CheckCode;
  details: string | null;
}

const success: Outcome = { result: checkCodes.success, details: null };
const warning = (details: string): Outcome => ({ result: checkCodes.warning, details });
const failure = (details: string): Outcome => ({ result: checkCodes.failure, details });

/** What stands in the way of running this version on a database; changes nothing. */
export async function upgradeChecks(database: Database, dialect: Dialect, settings: ToolSettings): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const check = async (name: string, run: () => Promise<Outcome>) => {
    const { result, details } = await run().catch((problem: unknown) =>
      failure(problem instanceof Error ? problem.message : String(problem)),
    );
    results.push({ check: name, result, details });
    return result;
  };
  const schema = await check('Database Schema', () => schemaCheck(database, dialect));
  // The others read tables that are not there otherwise.
  if (schema !== checkCodes.failure && (await schemaState(database)).kind !== 'empty') {
    await check('Registry Passwords', () => passwordCheck(database, settings.authEncryptionKey));
    await check('Work In Flight', () => workCheck(database));
  }
  await check('Policy File JSON to YAML Migration', async () => policyCheck(settings.policyFile));
  return results;
}

async function schemaCheck(database: Database, dialect: Dialect): Promise<Outcome> {
  const state = await schemaState(database);
  if (state.kind === 'unusable') return failure(state.reason);
  if (state.kind === 'empty') return warning("The database is empty: run 'zun-db-manage upgrade'.");
  if (state.kind === 'original') {
    return warning("The database is the original's and can be adopted: run 'zun-db-manage upgrade'. The original can go on meanwhile.");
  }
  const { missing } = await migrationsOf(database, dialect);
  return missing.length === 0 ? success : warning(`Run 'zun-db-manage upgrade': ${missing.join(', ')} to come.`);
}

/** One wrong key, and every private registry's images can't be pulled. */
async function passwordCheck(database: Database, key: string | null): Promise<Outcome> {
  const rows = await database.queries.selectFrom('registry').select(['uuid', 'password']).where('password', 'is not', null).execute();
  if (rows.length === 0) return success;
  if (key === null) return failure(`${rows.length} registries have a password, and no auth_encryption_key is configured.`);
  const fernet = new Fernet(key);
  const unreadable = rows.filter(({ password }) => !isReadable(fernet, password ?? ''));
  if (unreadable.length === 0) return success;
  const [first] = unreadable;
  return failure(
    `The passwords of ${unreadable.length} of ${rows.length} registries cannot be read with auth_encryption_key (${first?.uuid}).`,
  );
}

function isReadable(fernet: Fernet, token: string): boolean {
  try {
    fernet.decrypt(token);
    return true;
  } catch {
    return false;
  }
}

/** What the original's zun-compute has begun, nothing here goes on with: it has no task. */
async function workCheck(database: Database): Promise<Outcome> {
  const rows = await database.queries
    .selectFrom('container')
    .select(['uuid', 'task_state'])
    .where((row) => row.or([row('task_state', 'is not', null), row('status', '=', 'Creating')]))
    .execute();
  const own = (await schemaState(database)).kind === 'own';
  const tasks = own ? await database.queries.selectFrom('openkeel_task').select('subject').execute() : [];
  const subjects = new Set(tasks.map((task) => task.subject));
  const orphans = rows.filter((row) => !subjects.has(row.uuid ?? ''));
  if (orphans.length === 0) return success;
  const [first] = orphans;
  return warning(
    `${orphans.length} containers have work under way that the original began (${first?.uuid}: ${first?.task_state ?? 'Creating'}). ` +
      'Let it end, or delete them with force afterwards.',
  );
}

/** The sentence is oslo_upgradecheck's (common_checks.py). */
function policyCheck(file: string): Outcome {
  if (!existsSync(file) || !isJson(readFileSync(file, 'utf8'))) return success;
  return failure(
    'Your policy file is JSON-formatted which is deprecated. You need to switch to YAML-formatted file. Use the ' +
      '``oslopolicy-convert-json-to-yaml`` tool to convert the existing JSON-formatted files to YAML in a backwards-compatible manner: ' +
      'https://docs.openstack.org/oslo.policy/latest/cli/oslopolicy-convert-json-to-yaml.html.',
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
