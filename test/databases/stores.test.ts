import { after, before, describe } from 'node:test';
import { testServer } from './servers/test-server.ts';
import { containerStoreSuite } from './suite/container-store-suite.ts';
import { otherStoresSuite } from './suite/other-stores-suite.ts';
import { quotaSuite } from './suite/quota-suite.ts';
import { taskStoreSuite } from './suite/task-store-suite.ts';
import { type DatabaseSource, serverSource, sqliteSource } from './test-database.ts';

const suites = {
  'the task store': taskStoreSuite,
  'the container store': containerStoreSuite,
  quotas: quotaSuite,
  'the other stores': otherStoresSuite,
};

/** Tests are named before a server is there; the source that they are given looks it up when it opens. */
function laterSource(kind: 'mariadb' | 'postgresql', current: () => DatabaseSource | null): DatabaseSource {
  const source = () => current() ?? missing();
  return {
    kind,
    get server() {
      return source().server;
    },
    open: (onQuery) => source().open(onQuery),
  };
}

function missing(): never {
  throw new Error('the server has not been started');
}

for (const [name, suite] of Object.entries(suites)) describe(`${name} on sqlite`, () => suite(sqliteSource));

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
    for (const [name, suite] of Object.entries(suites)) describe(`${name} on ${kind}`, () => suite(laterSource(kind, () => source)));
  });
}
