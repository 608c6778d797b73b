import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Queries } from '../../src/db/database.ts';
import { containerTypes } from '../../src/features/containers/container.ts';
import { LocalBench } from '../bench/local-bench.ts';
import { VersionCaller } from '../microversions/version-caller.ts';
import { containerRows, imageRows, registryRows } from './generated-rows.ts';

type View = Record<string, unknown>;

const owner = { project_id: 'admin-project', user_id: 'admin-user' };
/** Links are what the two differ in: lists of containers and of registries have none. */
const withoutLinks = ({ links: _, ...view }: View): View => view;

/** Reads a collection and each of its members, and holds the members against each other. */
async function compare(
  api: VersionCaller,
  version: string,
  collection: string,
  show: (json: View) => View = (json) => json,
): Promise<void> {
  const page = await api.call(version, `GET /v1/${collection}`);
  assert.equal(page.status, 200, JSON.stringify(page.json));
  const listed = page.json[collection] as View[];
  assert.ok(listed.length > 0);
  for (const one of listed) {
    const shown = await api.call(version, `GET /v1/${collection}/${one.uuid}`);
    assert.equal(shown.status, 200);
    assert.deepEqual(withoutLinks(show(shown.json)), withoutLinks(one));
  }
}

/** Puts generated rows in, one after the other, on a bench of their own, and compares after each. */
async function holds<Row>(
  rows: fc.Arbitrary<Row>,
  insert: (queries: Queries, row: Row) => Promise<unknown>,
  check: (api: VersionCaller, row: Row) => Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(rows, { minLength: 1, maxLength: 5 }), async (some) => {
      const api = new VersionCaller(await LocalBench.open());
      for (const row of some) await insert(api.bench.database.queries, row);
      for (const row of some) await check(api, row);
    }),
    { numRuns: 15 },
  );
}

describe('a list says of each member what showing it says', () => {
  test('containers', () =>
    holds(
      containerRows,
      (queries, row) =>
        queries
          .insertInto('container')
          .values({ ...row, ...owner, uuid: randomUUID(), host: 'bench', container_type: containerTypes.container })
          .execute(),
      (api) => compare(api, '1.40', 'containers'),
    ));

  test('capsules, in both forms', () =>
    holds(
      fc.tuple(containerRows, containerRows),
      async (queries, [capsule, member]) => {
        const uuid = randomUUID();
        const common = { ...owner, host: 'bench' };
        await queries
          .insertInto('container')
          .values({ ...capsule, ...common, uuid, container_type: containerTypes.capsule })
          .execute();
        const { id } = await queries.selectFrom('container').select('id').where('uuid', '=', uuid).executeTakeFirstOrThrow();
        await queries
          .insertInto('container')
          .values({ ...member, ...common, uuid: randomUUID(), container_type: containerTypes.capsuleContainer, capsule_id: id })
          .execute();
      },
      async (api) => {
        await compare(api, '1.31', 'capsules');
        await compare(api, '1.32', 'capsules');
      },
    ));

  test('images', () =>
    holds(
      imageRows,
      (queries, row) =>
        queries
          .insertInto('image')
          .values({ ...row, ...owner, uuid: randomUUID(), host: 'bench' })
          .execute(),
      (api) => compare(api, '1.40', 'images'),
    ));

  test('registries', () =>
    holds(
      registryRows,
      (queries, row) =>
        queries
          .insertInto('registry')
          .values({ ...row, ...owner, uuid: randomUUID() })
          .execute(),
      (api) => compare(api, '1.40', 'registries', (json) => json.registry as View),
    ));
});
