import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open-database.ts';
import { insertContainer, updateContainer } from '../../src/features/containers/container-store.ts';
import { TaskStore } from '../../src/tasks/task-store.ts';
import { systemClock } from '../../src/telemetry/clock.ts';
import { randomIds } from '../../src/telemetry/ids.ts';
import { until } from '../system/engine/until.ts';
import type { DatabaseServer } from './servers/database-server.ts';
import { dialectOf, superuser } from './servers/database-server.ts';
import { privateMariadb } from './servers/private-mariadb.ts';
import { privatePostgresql } from './servers/private-postgresql.ts';
import type { PrivateServer } from './servers/private-server.ts';
import { numberedUuid, sampleContainer } from './suite/sample-container.ts';
import { rowsOf, serverSource, type TestDatabase } from './test-database.ts';

/** The statements by which an operator brings trouble about. */
const troubles = {
  mariadb: {
    start: privateMariadb,
    sessions: `select id from information_schema.processlist where user = '${appUser()}'`,
    kill: (id: number) => `kill ${id}`,
    user: (name: string) => [
      `create user '${appUser()}'@'%' identified by '${superuser.password}'`,
      `grant all on ${name}.* to '${appUser()}'@'%'`,
    ],
    readOnly: ['set global read_only = 1'],
    writable: ['set global read_only = 0'],
  },
  postgresql: {
    start: privatePostgresql,
    sessions: `select pid as id from pg_stat_activity where usename = '${appUser()}'`,
    kill: (id: number) => `select pg_terminate_backend(${id})`,
    user: (name: string) => [
      `create role ${appUser()} login password '${superuser.password}'`,
      `grant all on database ${name} to ${appUser()}`,
      `grant all on all tables in schema public to ${appUser()}`,
      `grant all on all sequences in schema public to ${appUser()}`,
    ],
    readOnly: ['alter system set default_transaction_read_only = on', 'select pg_reload_conf()'],
    writable: ['alter system set default_transaction_read_only = off', 'select pg_reload_conf()'],
  },
};

function appUser(): string {
  return 'zun_app';
}

for (const kind of ['mariadb', 'postgresql'] as const) {
  describe(`connections to ${kind}`, () => {
    const trouble = troubles[kind];
    let server: PrivateServer;
    /** The operator's way in, and the service's. */
    let operator: TestDatabase;
    let database: Database;

    before(async () => {
      server = await trouble.start();
      operator = await serverSource(server).open();
      for (const statement of trouble.user(operator.name)) await rowsOf(operator, statement);
      const asApp: DatabaseServer = { ...server, address: (name) => ({ ...server.address(name), user: appUser() }) };
      database = openDatabase(dialectOf(asApp, operator.name));
      await insertContainer(database.queries, sampleContainer({ uuid: numberedUuid(1), taskState: null }));
    });
    after(async () => {
      await database?.close();
      await operator?.close();
      await server?.close();
    });

    const read = () => database.queries.selectFrom('container').select('cpu').where('uuid', '=', numberedUuid(1)).executeTakeFirstOrThrow();
    const cpu = async () => (await read()).cpu;
    const killAll = async () => {
      const sessions = await rowsOf<{ id: number }>(operator, trouble.sessions);
      for (const { id } of sessions) await rowsOf(operator, trouble.kill(id)).catch(() => undefined);
      return sessions.length;
    };

    test('sessions that the server ended while they were idle are replaced without an error', async () => {
      await Promise.all(Array.from({ length: 10 }, read));
      assert.ok((await killAll()) > 0);
      await Promise.all(Array.from({ length: 20 }, read));
    });

    test('a transaction whose session is killed under it runs again, whole', async () => {
      let runs = 0;
      await database.transaction(async (transaction) => {
        runs += 1;
        await updateContainer(transaction, numberedUuid(1), { cpu: runs }, 0);
        if (runs === 1) await killAll();
        await updateContainer(transaction, numberedUuid(1), { disk: runs }, 0);
      });
      assert.equal(runs, 2);
      assert.equal(await cpu(), 2);
    });

    test('reads fail at most while the server is away, and the queue loses nothing and runs nothing twice', async () => {
      const store = new TaskStore(database, systemClock, randomIds);
      const enqueue = (index: number) =>
        database.transaction((queries) =>
          store.enqueue(queries, { ...noTask, subject: `subject-${index}`, payload: { index }, deadline: systemClock.now() + 60_000 }),
        );
      for (let index = 0; index < 40; index += 1) await enqueue(index);
      const done: number[] = [];
      let failures = 0;
      let restarted = false;
      const work = async (owner: string) => {
        while (done.length < 40 || !restarted) {
          try {
            const task = await store.claim(owner);
            if (!task) continue;
            await store.write(task, (queries) => store.remove(queries, task));
            done.push((task.payload as { index: number }).index);
          } catch {
            // What a worker does: it leaves the task to its lease.
            failures += 1;
            await until('the server is back', async () => (await cpu()) ?? null);
            await database.queries.updateTable('openkeel_task').set({ claimable_at: 0 }).where('state', '=', 'running').execute();
          }
        }
      };
      let away = false;
      const reading = (async () => {
        while (!restarted) {
          // On a quick machine the restart is bridged and no read fails at all.
          const value = await cpu().catch((error) => {
            if (!away) throw error;
            return 2;
          });
          assert.equal(value, 2);
        }
        assert.equal(await cpu(), 2);
      })();
      const working = Promise.all(['w1', 'w2'].map(work));
      await until('some are done', async () => (done.length > 5 ? true : null));
      away = true;
      await server.restart();
      restarted = true;
      await Promise.all([reading, working]);
      const left = await database.queries.selectFrom('openkeel_task').select('id').execute();
      assert.equal(left.length, 0);
      assert.equal(new Set(done).size, done.length, 'none twice');
      assert.ok(done.length >= 40 - failures, `${done.length} done, ${failures} failures`);
    });

    test('a server that is read-only for a moment, as in a fail-over, delays writes and fails none', async () => {
      for (const statement of trouble.readOnly) await rowsOf(operator, statement);
      await until('the server refuses', async () => ((await refuses()) ? true : null));
      const writes = Array.from({ length: 5 }, (_, index) => updateContainer(database.queries, numberedUuid(1), { disk: index }, 0));
      const transaction = database.transaction((queries) => updateContainer(queries, numberedUuid(1), { cpu: 3 }, 0));
      assert.equal(await cpu(), 2);
      for (const statement of trouble.writable) await rowsOf(operator, statement);
      assert.deepEqual(await Promise.all([...writes, transaction]), [true, true, true, true, true, true]);
      assert.equal(await cpu(), 3);
    });

    /** Through a session of its own that is not retried. */
    async function refuses(): Promise<boolean> {
      if (kind === 'mariadb') return true;
      const [row] = await rowsOf<{ on: string }>(operator, "select current_setting('default_transaction_read_only') as on");
      return row?.on === 'on';
    }
  });
}

const noTask = { kind: 'test', projectId: 'p', requestId: null, actionId: null };
