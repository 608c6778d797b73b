import { after, before, describe } from 'node:test';
import { testServer } from './servers/test-server.ts';
import { type DatabaseSource, serverSource, sqliteSource } from './test-database.ts';

export type Suite = (source: DatabaseSource) => void;

/** Runs suites on SQLite, MariaDB and PostgreSQL. */
export function onEachDatabase(suites: Record<string, Suite>): void {
  for (const [name, suite] of Object.entries(suites)) describe(`${name} on sqlite`, () => suite(sqliteSource));
  onEachServer(suites);
}

/** Runs suites on MariaDB and PostgreSQL. */
export function onEachServer(suites: Record<string, Suite>): void {
  for (const kind of ['mariadb', 'postgresql'] as const) {
    describe(kind, () => {
      let source: DatabaseSource | null = null;
      let release: () => Promise<void>;
      before(async () => {
        const shared = await testServer(kind);
        source = serverSource(shared.server);
        release = shared.release;
      });
      after(() => release());
      const later = laterSource(kind, () => source);
      for (const [name, suite] of Object.entries(suites)) describe(`${name} on ${kind}`, () => suite(later));
    });
  }
}

/** Tests are named before a server is there; the source that they are given looks it up when it is used. */
function laterSource(kind: DatabaseSource['kind'], current: () => DatabaseSource | null): DatabaseSource {
  const source = () => {
    const started = current();
    if (!started) throw new Error('the server has not been started');
    return started;
  };
  return {
    kind,
    get server() {
      return source().server;
    },
    open: (onQuery) => source().open(onQuery),
  };
}
