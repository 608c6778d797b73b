import { Fernet } from '../../src/crypto/fernet.ts';
import { compareAnswer } from './compare-answer.ts';
import { compareTables } from './compare-rows.ts';
import { exchangeRows } from './exchange-rows.ts';
import { exchangeVariant, makesRulesLoad } from './exchange-variant.ts';
import { exchangeWorld, placingNode } from './exchange-world.ts';
import { nodeMadeUuid } from './node-made-uuid.ts';
import type { Outcome } from './outcome.ts';
import type { RecordedExchange, RecordedRequest } from './record.ts';
import { ReplayCore } from './replay-core.ts';
import { ReplayDatabase } from './replay-database.ts';
import { openedTables, titleOf } from './replay-probes.ts';

/** The original's tests ran on this day; services seen up then count as up. */
const now = Date.parse('2026-11-29T12:30:45Z');

/** Replays the requests of the original's own API tests, each on the rows it had and with the answers that it had mocked. */
export async function replayExchanges(exchanges: RecordedExchange[]): Promise<Outcome[]> {
  const database = await ReplayDatabase.open();
  await database.dropConstraints('zun_service');
  const fernet = new Fernet('conformance-conformance-conformance');
  const core = new ReplayCore({ database, fernet, now, host: 'fake-host', authority: 'localhost', identityUrl: 'http://localhost:5000' });
  const outcomes: Outcome[] = [];
  const testsThatLoadRules = new Set<string>();
  for (const exchange of exchanges) {
    await database.fill(exchangeRows(exchange, fernet, now));
    if (makesRulesLoad(exchange)) testsThatLoadRules.add(exchange.test);
    const token: Record<string, string> = isAuthenticated(exchange) ? { 'x-auth-token': 'recorded' } : {};
    const answer = await core.send(
      exchangeWorld(exchange),
      exchangeVariant(exchange, testsThatLoadRules.has(exchange.test)),
      requestOf(exchange),
      token,
    );
    answer.body = answer.body.replaceAll(`"${placingNode.hostname}"`, 'null');
    const ignored = ['x-openstack-request-id', 'content-type'].map((name) => `/response/headers/${name}`);
    const headers = Object.fromEntries(Object.entries(answer.headers).filter(([name]) => name !== 'x-openstack-request-id'));
    const differences = compareAnswer(exchange.request, exchange.response, { ...answer, headers }, [
      ...exchange.volatile,
      ...nodeMadeUuid(exchange.response, exchange.compute),
      ...ignored,
    ]);
    if (differences.length === 0) {
      differences.push(...compareTables(exchange.db_changed, openedTables(await database.tables(), fernet), new Set(exchange.volatile)));
    }
    outcomes.push({
      kind: 'exchange',
      id: exchange.id,
      title: titleOf(exchange.request),
      status: answer.status,
      differences,
      recordedDefect: false,
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

/** A test that mocked a list away got its rows whatever was asked: the filter by name is left out. */
function requestOf({ request, mocks }: RecordedExchange): RecordedRequest {
  if (!mocks.some(({ name }) => name.endsWith('.list'))) return request;
  const query = new URLSearchParams(request.query);
  query.delete('name');
  return { ...request, query: query.toString() };
}
