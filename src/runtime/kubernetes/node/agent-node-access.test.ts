import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeApiServer } from '../../../../test/kubernetes-fake/fake-api-server.ts';
import { until } from '../../../../test/system/engine/until.ts';
import { systemClock } from '../../../telemetry/clock.ts';
import { isFault } from '../../runtime-fault.ts';
import { KubeClient } from '../client/kube-client.ts';
import { AgentNodeAccess } from './agent-node-access.ts';

/** A `zun node` that runs in an agent's Pod until the test ends it. */
interface Call {
  node: string;
  operation: string;
  end(): void;
}

/** Agents on every node whose commands run as long as the test says. */
async function setUp() {
  const stack = new AsyncDisposableStack();
  const fake = stack.use(await FakeApiServer.start());
  const client = new KubeClient(fake.config());
  stack.defer(() => client.close());
  const running: Call[] = [];
  fake.answer = (asked) => {
    const node = asked.query.get('fieldSelector')?.replace('spec.nodeName=', '');
    const status = { containerStatuses: [{ state: { running: {} } }] };
    asked.json(200, { items: [{ metadata: { name: `agent-${node}` }, spec: { containers: [{ name: 'agent' }] }, status }] });
  };
  fake.answerSocket = (url) => ({
    run(socket) {
      const [, node = ''] = /\/pods\/agent-([^/]+)\//.exec(url.pathname) ?? [];
      const operation = url.searchParams.getAll('command')[2] ?? '';
      const write = (channel: number, text: string) => socket.send(Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
      for (const channel of [1, 2, 3]) write(channel, '');
      const call: Call = {
        node,
        operation,
        end() {
          running.splice(running.indexOf(call), 1);
          write(1, 'null\n');
          write(3, JSON.stringify({ status: 'Success' }));
          socket.close(1000);
        },
      };
      running.push(call);
    },
  });
  const access = new AgentNodeAccess({ client, clock: systemClock, namespace: 'zun', selector: 'a=b', command: ['zun', 'node'] });
  const count = (operation: string, node = 'n1') => running.filter((call) => call.operation === operation && call.node === node).length;
  return {
    access,
    running,
    count,
    /** Waits until so many run, and for what may come beyond that. */
    async runs(operation: string, wanted: number, node = 'n1') {
      await until(`${wanted} × ${operation}`, async () => (count(operation, node) === wanted ? true : null));
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(count(operation, node), wanted);
    },
    async endAll(calls: Promise<unknown>[]) {
      const ended = Promise.all(calls);
      while ((await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5))])) === undefined)
        for (const call of [...running]) call.end();
      await ended;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const ref = (containerId: number, node = 'n1') => ({ node, containerId: `c${containerId}` });

test('an agent has eight calls of a worker at a time, whoever asks; other nodes do not wait for it', async () => {
  await using bench = await setUp();
  const stops = Array.from({ length: 20 }, (_, each) => bench.access.stop(ref(each), 10));
  await bench.runs('stop', 8);
  const elsewhere = bench.access.stop(ref(0, 'n2'), 10);
  await bench.runs('stop', 1, 'n2');
  bench.running[0]?.end();
  await bench.runs('stop', 8);
  await bench.endAll([...stops, elsewhere]);
});

test('what packs filesystems takes two of them, and waits for its turn without one', async () => {
  await using bench = await setUp();
  const keeps = Array.from({ length: 6 }, (_, each) => bench.access.keep(ref(each), 'image', 'base'));
  await bench.runs('keep', 2);
  const pauses = Array.from({ length: 6 }, (_, each) => bench.access.pause(ref(each)));
  await bench.runs('pause', 6);
  const late = bench.access.pause(ref(7));
  await bench.runs('pause', 6);
  await bench.endAll([...keeps, ...pauses, late]);
});

test('who gives up while waiting has a timeout, and nothing is asked for it', async () => {
  await using bench = await setUp();
  const stops = Array.from({ length: 8 }, (_, each) => bench.access.stop(ref(each), 10));
  await bench.runs('stop', 8);
  await assert.rejects(bench.access.kill(ref(9), 'TERM', AbortSignal.timeout(50)), (error) => {
    return isFault(error, 'timeout') && /turn at the agent of node n1/.test(error.message);
  });
  await bench.endAll(stops);
  assert.equal(bench.count('kill'), 0);
});
