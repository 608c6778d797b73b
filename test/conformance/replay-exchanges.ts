import { Fernet } from '../../src/crypto/fernet.ts';
import { defaultPolicies } from '../../src/policy/default-policies.ts';
import type { PolicyRules } from '../../src/policy/policy-enforcer.ts';
import { VALID_STATES } from '../../src/rules/valid-states.ts';
import { contractText } from '../contract/vectors.ts';
import { compareAnswer } from './compare-answer.ts';
import { exchangeWorld, placingNode } from './exchange-world.ts';
import type { Outcome } from './outcome.ts';
import type { RecordedExchange, RecordedRows } from './record.ts';
import { ReplayCore, type Variant } from './replay-core.ts';
import { ReplayDatabase } from './replay-database.ts';
import { titleOf } from './replay-probes.ts';

/** The original's tests ran on this day; services seen up then count as up. */
const now = Date.parse('2026-11-29T12:30:45Z');

/** Replays the requests of the original's own API tests, each on the rows it had and with the answers that it had mocked. */
export async function replayExchanges(exchanges: RecordedExchange[]): Promise<Outcome[]> {
  const database = await ReplayDatabase.open();
  await database.dropConstraints('zun_service');
  const fernet = new Fernet('conformance-conformance-conformance');
  const core = new ReplayCore({ database, fernet, now, host: 'fake-host', authority: 'localhost', identityUrl: 'http://localhost:5000' });
  const outcomes: Outcome[] = [];
  for (const exchange of exchanges) {
    await database.fill(rowsOf(exchange, fernet));
    const token: Record<string, string> = isAuthenticated(exchange) ? { 'x-auth-token': 'recorded' } : {};
    const answer = await core.send(exchangeWorld(exchange), variantOf(exchange), exchange.request, token);
    answer.body = answer.body.replaceAll(`"${placingNode.hostname}"`, 'null');
    const ignored = ['x-openstack-request-id', 'content-type'].map((name) => `/response/headers/${name}`);
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== 'x-openstack-request-id'));
    const differences = compareAnswer(exchange.request, exchange.response, { ...answer, headers }, [...exchange.volatile, ...ignored]);
    outcomes.push({
      kind: 'exchange',
      id: exchange.id,
      title: titleOf(exchange.request),
      status: answer.status,
      differences,
      properRefusal: false,
    });
  }
  await core.close();
  return outcomes;
}

function isAuthenticated(exchange: RecordedExchange): boolean {
  const paste = exchange.config.find(({ name }) => name === 'api_paste_config')?.value;
  return !paste?.startsWith('auth-');
}

/** The record's rows; where a test had mocked the state check away, its containers are in a state that passes. */
function rowsOf(exchange: RecordedExchange, fernet: Fernet): RecordedRows {
  const rows: RecordedRows = { ...exchange.rows };
  for (const { name, args, returns } of exchange.mocks) {
    const { $object: kind, fields } = (returns ?? {}) as { $object?: string; fields?: Record<string, unknown> };
    if (name === 'zun.api.utils.get_resource' && kind === 'Container' && fields)
      rows.container = [{ ...fields, cpuset: {}, container_type: 0 }];
    if (name.endsWith('ComputeNode.get_by_name'))
      rows.compute_node = rows.compute_node?.map((row) => ({ ...row, hostname: row.hostname ?? args[0] })) ?? [];
  }
  const registry = rows.registry?.map((row) =>
    typeof row.password === 'string' ? { ...row, password: fernet.encrypt(row.password, now) } : row,
  );
  if (registry) rows.registry = registry;
  if (exchange.conditions.includes('state_check_passes')) {
    const action = /\/([a-z_]+)\/?$/.exec(exchange.request.path)?.[1] ?? '';
    const name = exchange.request.method === 'DELETE' ? 'delete' : exchange.request.method === 'PATCH' ? 'update' : action;
    const states = VALID_STATES[name as keyof typeof VALID_STATES] as readonly string[] | undefined;
    rows.container = (rows.container ?? []).map((row) =>
      states && !states.includes(String(row.status)) ? { ...row, status: states[0] } : row,
    );
  }
  if (exchange.compute.some(({ method }) => method === 'container_create')) {
    const zone = (exchange.request.json as { availability_zone?: string } | undefined)?.availability_zone ?? 'nova';
    rows.compute_node = [{ uuid: placingNode.rp_uuid, ...placingNode, mem_total: 1024, cpus: 1, cpu_used: 0, mem_used: 0 }];
    rows.zun_service = [
      {
        host: placingNode.hostname,
        binary: 'zun-compute',
        disabled: 0,
        forced_down: 0,
        report_count: 1,
        last_seen_up: new Date(now).toISOString().slice(0, 19),
        availability_zone: zone,
      },
    ];
  }
  return rows;
}

function variantOf({ policy, config, compute }: RecordedExchange): Variant {
  const loadsRules = compute.some(({ method }) => /_create|network_attach/.test(method));
  const zone = config.find(({ name }) => name === 'default_availability_zone')?.value;
  const paste = config.find(({ name }) => name === 'api_paste_config')?.value ?? '';
  return {
    key: JSON.stringify([policy.rules, policy.enforce_mocked, policy.can_mocked, loadsRules, zone, paste]),
    rules: policy.rules ?? mockedRules(policy, loadsRules),
    overrides: {},
    settings: (settings) => {
      if (zone) settings.scheduler.defaultAvailabilityZone = zone;
      settings.api.publicPaths = publicPaths[paste] ?? settings.api.publicPaths;
    },
  };
}

/** What the paste files of the original's tests leave open. */
const publicPaths: Record<string, string[]> = { 'auth-paste.ini': [], 'auth-root-access.ini': ['/'], 'auth-v1-access.ini': ['/v1'] };

/**
 * `policy.enforce` mocked: every rule passes but those asked through `context.can`, of fields and of external networks. These pass
 * too as long as nothing has made the original load its rules, which a check of external networks does.
 */
function mockedRules({ enforce_mocked, can_mocked }: RecordedExchange['policy'], loadsRules: boolean): PolicyRules | null {
  if (!enforce_mocked && !can_mocked) return null;
  const defaults = defaultPolicies(contractText('policies.json'));
  const askedThroughCan = (rule: string) => /:get(_one)?:/.test(rule) || rule === 'network:attach_external_network';
  const passes = (rule: string) => (askedThroughCan(rule) ? can_mocked || !loadsRules : enforce_mocked);
  return Object.fromEntries(
    Object.entries(defaults).map(([rule, check]) => [rule, passes(rule) && rule !== 'context_is_admin' ? '@' : check]),
  );
}
