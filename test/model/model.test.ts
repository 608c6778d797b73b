import { test } from 'node:test';
import fc from 'fast-check';
import { LocalBench } from '../bench/local-bench.ts';
import { zunCommands } from './zun-commands.ts';
import type { ZunSystem } from './zun-system.ts';

async function memorySystem(): Promise<ZunSystem & { close(): Promise<void> }> {
  const bench = await LocalBench.open();
  return {
    async request(method, path, json) {
      await bench.report();
      const answer = await bench.whileTimePasses(
        bench.core.server.inject({
          method,
          url: path,
          headers: {
            accept: 'application/json',
            'x-auth-token': 'admin',
            'openstack-api-version': 'container 1.40',
            ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
        }),
      );
      return { status: answer.statusCode, json: answer.body === '' ? null : JSON.parse(answer.body) };
    },
    settled: () => bench.runTasks(),
    close: () => bench.database.close(),
  };
}

test('whatever is asked in whatever order, every container is what the table of states makes of it', async () => {
  const property = fc.asyncProperty(zunCommands(25, { missingImages: true }), async (commands) => {
    const real = await memorySystem();
    try {
      await fc.asyncModelRun(() => ({ model: { containers: [] }, real }), commands);
    } finally {
      await real.close();
    }
  });
  await fc.assert(property, { numRuns: 40 });
});
