import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { until } from '../../system/engine/until.ts';
import type { ProgramProcess } from '../../system/programs/program-process.ts';
import { assertAgreement } from './agreement.ts';
import type { FaultsWorld } from './faults-world.ts';
import type { Answer, Call } from './kube-gate.ts';
import { Stock } from './stock.ts';
import { type WorkName, works } from './works.ts';

/** What works need that are not asked for: containers that run, have been stopped and have ended, a capsule. */
const present = ['rebuild', 'start', 'start of what ends at once', 'capsule delete'] as const satisfies WorkName[];
/** Some of each kind; the others are made of the same calls. */
const names = ['create', 'start', 'stop', 'delete', 'capsule create'] as const satisfies WorkName[];

const status = (code: number, reason: string, message: string): Answer => ({
  status: code,
  headers: {},
  body: JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }),
});
const busy = (code: number): Answer => ({ ...status(code, 'ServiceUnavailable', 'busy'), headers: { 'retry-after': '1' } });
const expired = status(410, 'Expired', 'too old resource version: 1 (2)');

/** A list, of a project or of all; a page that is asked for by one name, too. */
const isListOf = (resources: readonly string[], { method, path }: Call): boolean =>
  method === 'GET' && resources.includes(path.split('/').at(-1) ?? '');

/** What the API server answers is cut off, left hanging, forged: rows stay true, and works end as they should. */
export function whatIsTampered(open: () => FaultsWorld): void {
  describe('between the workers and the API server', () => {
    let world: FaultsWorld;
    let stock: Stock;
    let programs: ProgramProcess[];
    /** Containers and a capsule that nobody touches. */
    let bystanders: string[];

    before(async () => {
      world = open();
      programs = await Promise.all([world.start('zun-api'), world.start('zun-compute'), world.start('zun-compute')]);
      stock = new Stock(world);
      bystanders = await stock.take(present);
    });
    after(async () => {
      try {
        await stock.restore(present, bystanders);
        await stock.clear();
      } finally {
        // Whoever leads gives that back.
        await Promise.all(programs.map((program) => world.leave(program)));
      }
    });

    const rows = () => {
      const fields = ['uuid', 'status', 'status_reason', 'task_state', 'container_id'] as const;
      return world.database.queries.selectFrom('container').select(fields).where('uuid', 'in', bystanders).orderBy('id').execute();
    };

    /** Works that are asked for while the fault lasts, from `begin` to `end`; what is shown of bystanders is the same afterwards. */
    const under = async (fault: { begin(): void; end(): Promise<void> }): Promise<void> => {
      const uuids = await stock.take(names);
      const before = await rows();
      fault.begin();
      const asked: string[] = [];
      for (const [index, name] of names.entries()) asked.push(await works[name].ask(world, uuids[index] ?? ''));
      await fault.end();
      await world.settled();
      for (const [index, name] of names.entries()) await stock.give(name, asked[index] ?? '');
      assert.deepEqual(await rows(), before);
      await assertAgreement(world);
    };

    for (const [what, resources, lie] of [
      // Of claims, too, it would have no volume attached.
      ['empty', ['pods', 'secrets'], (answer: Answer) => ({ ...answer, body: JSON.stringify({ ...JSON.parse(answer.body), items: [] }) })],
      [
        'refused with a 500, and every other call with a 429 or a 503 at first',
        ['pods', 'secrets', 'persistentvolumeclaims', 'nodes', 'events'],
        () => status(500, 'InternalError', 'leader changed'),
      ],
    ] as const)
      test(`every list is ${what}`, async () => {
        let [listings, calls] = [0, 0];
        const watched = new Set<string>();
        await under({
          begin() {
            // Who watches a Pod is made to list it.
            world.gate.watchRule = ({ query }) => {
              const pod = query.get('fieldSelector') ?? '';
              return pod === '' || watched.size === watched.add(pod).size ? null : expired;
            };
            world.gate.rule = async (call, ask) => {
              calls += 1;
              if (what !== 'empty' && calls % 2 === 0) return busy(calls % 4 === 0 ? 429 : 503);
              const answer = await ask();
              if (!isListOf(resources, call)) return answer;
              // Not of one Pod: a comparison with rows.
              if (call.path.endsWith('/pods') && !call.query.has('fieldSelector')) listings += 1;
              return lie(answer);
            };
          },
          async end() {
            await until('rows were compared with the lists', async () => (listings >= 6 ? true : null), 60_000);
            // Empty ones keep nobody from ending his work.
            if (what === 'empty') await world.settled();
            world.gate.heal();
          },
        });
      });

    test('every watch has expired, and whoever hears so lists before he watches again', async () => {
      let [refused, unlisted] = [0, 0];
      let isOver = false;
      // A version that has expired does not come back.
      const compacted = new Set<string>();
      const hasToList = new Set<string>();
      const what = ({ path, query }: Call) => [path, query.get('labelSelector'), query.get('fieldSelector')].join(' ');
      await under({
        begin() {
          world.proxy.cut();
          world.gate.rule = (call, ask) => {
            if (call.method === 'GET') hasToList.delete(what(call));
            return ask();
          };
          world.gate.watchRule = (call) => {
            const version = call.query.get('resourceVersion') ?? '';
            if (hasToList.has(what(call))) unlisted += 1;
            if (isOver && !compacted.has(version)) return null;
            compacted.add(version);
            hasToList.add(what(call));
            return refused++ % 2 === 0 ? expired : { ...expired, status: 200, body: `{"type":"ERROR","object":${expired.body}}\n` };
          };
        },
        async end() {
          await until('watches were refused', async () => (refused > 2 * names.length ? true : null), 60_000);
          isOver = true;
        },
      });
      world.gate.heal();
      assert.equal(unlisted, 0, `of ${refused}`);
    });

    test('every event comes twice, and what an object was before comes again', async () => {
      const first = new Map<string, string>();
      let repeated = 0;
      await under({
        begin() {
          world.proxy.cut();
          world.gate.line = (line) => {
            const { uid = '' } = (JSON.parse(line) as { object?: { metadata?: { uid?: string } } }).object?.metadata ?? {};
            if (uid === '') return [line];
            if (!first.has(uid)) first.set(uid, line);
            repeated += 1;
            return [line, line, first.get(uid) ?? line];
          };
        },
        async end() {
          await world.settled();
          assert.ok(repeated > names.length, `${repeated}`);
          world.gate.heal();
        },
      });
    });

    test('connections are cut again and again', async () => {
      let cuts = 0;
      let isOver = false;
      await under({
        begin() {
          world.gate.rule = async (call, ask) => {
            const answer = await ask();
            // Every other change takes effect and is not answered, and the watches break with it.
            if (isOver || call.method === 'GET' || ++cuts % 2 === 0) return answer;
            world.proxy.cut();
            return 'cut';
          };
        },
        async end() {
          await until('connections were cut', async () => (cuts >= 2 * names.length ? true : null), 60_000);
          isOver = true;
        },
      });
      world.gate.heal();
    });

    test('connections hang as when a load balancer has failed over', async () => {
      let isHung = false;
      await under({
        begin() {
          // When all works have told their Pods.
          const told = new Set<string>();
          world.gate.rule = async (call, ask) => {
            const answer = await ask();
            if (call.method !== 'GET' && call.path.includes('/pods')) told.add(`${call.path} ${call.body}`);
            if (!isHung && told.size >= names.length) {
              isHung = true;
              world.proxy.hang();
            }
            return answer;
          };
        },
        end: () => until('connections hang', async () => (isHung ? true : null), 60_000).then(() => {}),
      });
      world.gate.heal();
    });
  });
}
