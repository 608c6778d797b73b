import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite } from '../../src/db/dialect.ts';
import { migrations } from '../../src/db/migrations/migrations.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { insertContainer } from '../../src/features/containers/container-store.ts';
import { insertRegistry } from '../../src/features/registries/registry-store.ts';
import { dbManage } from '../../src/programs/db-manage-command.ts';
import { status } from '../../src/programs/status-command.ts';
import { onEachServer } from './on-each-database.ts';
import { type DatabaseServer, dialectOf } from './servers/database-server.ts';
import { numberedUuid, sampleContainer } from './suite/sample-container.ts';
import { createDatabase, type DatabaseSource, dropDatabase } from './test-database.ts';

const own = Object.keys(migrations(sqlite(':memory:').tables));

function toolsSuite(source: DatabaseSource): void {
  const tools = async (
    run: (manage: Run, check: () => Promise<Record<string, number>>, server: DatabaseServer, name: string) => Promise<void>,
  ) => {
    const { server } = source;
    assert.ok(server);
    const name = await createDatabase(server);
    const { user, password, host, port } = server.address(name);
    const url = `${server.kind === 'mariadb' ? 'mysql+pymysql' : 'postgresql'}://${user}:${password}@${host}:${port}/${name}`;
    const manage: Run = (...args) => said(dbManage, ['--database', url, ...args]);
    const check = async () => {
      const { text, code } = await said(status, ['--database', url, 'upgrade', 'check', '--json']);
      const { checks } = JSON.parse(text) as { checks: { check: string; result: number }[] };
      assert.equal(code, Math.max(...checks.map(({ result }) => result)));
      return Object.fromEntries(checks.map((each) => [each.check, each.result]));
    };
    try {
      await run(manage, check, server, name);
    } finally {
      await dropDatabase(server, name);
    }
  };

  test('an empty database is upgraded, once, and says so', () =>
    tools(async (manage, check) => {
      assert.deepEqual(await manage('version'), {
        code: 0,
        text: `Current DB revision is None\nCurrent own migration is None, ${own.length} to come`,
      });
      assert.deepEqual(await check(), { 'Database Schema': 1, 'Policy File JSON to YAML Migration': 0 });
      assert.deepEqual(
        (await manage('upgrade')).text.split('\n'),
        own.map((name) => `Upgraded: ${name}`),
      );
      assert.deepEqual(await manage('upgrade', 'head'), { code: 0, text: 'Nothing to do.' });
      assert.equal((await manage('version')).text, `Current DB revision is 3f2b36231bee\nCurrent own migration is ${own.at(-1)}`);
      assert.equal((await check())['Database Schema'], 0);
    }));

  test('an older or unknown revision is refused, and stamp writes one', () =>
    tools(async (manage, check) => {
      await manage('upgrade');
      assert.deepEqual(await manage('stamp', 'a019998b09b5'), { code: 0, text: '' });
      const refused = await manage('upgrade');
      assert.equal(refused.code, 1);
      assert.match(refused.text, /older than 3f2b36231bee/);
      assert.equal((await check())['Database Schema'], 2);
      assert.match((await manage('stamp', 'nonsense')).text, /Can't locate revision identified by 'nonsense'/);
      assert.match((await manage('upgrade', 'a019998b09b5')).text, /upgrades to 3f2b36231bee only/);
      assert.equal((await manage('stamp', 'head')).code, 0);
      assert.equal((await manage('upgrade')).text, 'Nothing to do.');
    }));

  test('passwords under another key and work of the original are found', () =>
    tools(async (manage, check, server, name) => {
      await manage('upgrade');
      const database = openDatabase(dialectOf(server, name));
      await insertRegistry(database.queries, { uuid: numberedUuid(1), domain: 'd', password: 'not a token' });
      await insertContainer(database.queries, sampleContainer({ uuid: numberedUuid(2), taskState: 'image_pulling' }));
      await database.close();
      assert.deepEqual(await check(), {
        'Database Schema': 0,
        'Registry Passwords': 2,
        'Work In Flight': 1,
        'Policy File JSON to YAML Migration': 0,
      });
    }));

  test('words that are no command are refused with the usage', async () => {
    for (const args of [[], ['nothing'], ['version', 'x'], ['stamp'], ['--unknown']]) {
      const { code, text } = await said(dbManage, args);
      assert.equal(code, 2);
      assert.match(text, /usage: zun-db-manage/);
    }
    assert.equal((await said(status, ['upgrade'])).code, 255);
  });
}

type Run = (...args: string[]) => Promise<{ code: number; text: string }>;

async function said(tool: typeof dbManage, args: string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const say = (line: string) => lines.push(line);
  return { code: await tool(args, { out: say, error: say }), text: lines.join('\n') };
}

onEachServer({ tools: toolsSuite });
