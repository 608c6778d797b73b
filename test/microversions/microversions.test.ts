import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { maximumMinor, minimumMinor, versionText } from '../../src/api/api-version.ts';
import { microversions, type VersionName } from '../../src/api/microversions.ts';
import { LocalBench } from '../bench/local-bench.ts';
import { contractText } from '../contract/vectors.ts';
import type { VersionPromise } from './promise.ts';
import { promises1To10 } from './promises-1-to-10.ts';
import { promises11To20 } from './promises-11-to-20.ts';
import { promises21To30 } from './promises-21-to-30.ts';
import { promises31To40 } from './promises-31-to-40.ts';
import { VersionCaller } from './version-caller.ts';

/** One a version of the table: a version without a promise does not compile. */
const promises: Record<VersionName, VersionPromise> = { ...promises1To10, ...promises11To20, ...promises21To30, ...promises31To40 };

interface RouteRow {
  method: string;
  path: string;
  min: string | null;
  max: string | null;
  body_schema?: string;
  version_gates?: { param: string; min: string }[];
}

const { routes } = JSON.parse(contractText('routes.json')) as { routes: RouteRow[] };
const { schemas } = JSON.parse(contractText('schemas.json')) as { schemas: Record<string, { properties?: Record<string, unknown> }> };
const rowsOf = (route: string) => routes.filter(({ method, path }) => `${method} ${path}` === route);

describe('the table of versions', () => {
  test('has a row for every version that is served, in order, and for no other', () => {
    const served = Array.from({ length: maximumMinor - minimumMinor + 1 }, (_, index) => versionText(minimumMinor + index));
    const { versions } = JSON.parse(contractText('microversions.json')) as { versions: { version: string }[] };
    assert.deepEqual(
      microversions.map(({ version }) => version),
      served,
    );
    assert.deepEqual(
      versions.map(({ version }) => version),
      served,
    );
  });

  test('names for each version what the recorded routes and schemas begin or end there', () => {
    for (const { version, enforced } of microversions) {
      const before = `1.${Number(version.slice(2)) - 1}`;
      const changes = routes.filter(({ min, max }) => (min === version && version !== '1.1') || max === before);
      const changed = new Set(changes.map(({ method, path }) => `${method} ${path}`));
      const from = 'from' in enforced ? enforced.from : [];
      const until = 'until' in enforced ? enforced.until : [];
      for (const route of from) assert.equal(rowsOf(route)[0]?.min, version, route);
      for (const route of until) assert.equal(rowsOf(route).at(-1)?.max, before, route);
      const named = enforced.by === 'meaning' ? enforced.of : enforced.by === 'schema' ? [enforced.of] : [...from, ...until];
      assert.deepEqual([...changed].sort(), [...named].sort(), version);
      if (enforced.by === 'schema') assertSchemaChanges(enforced.of, enforced.name, version);
    }
  });

  test('has every parameter that the original refuses before a version, with that version', () => {
    const recorded = new Map<string, string>();
    for (const { method, path, version_gates } of routes)
      for (const { param, min } of version_gates ?? []) recorded.set(`${method} ${path} ${param}`, min);
    const listed = microversions.flatMap(({ version, enforced }) =>
      enforced.by === 'parameter' ? [[`${enforced.of} ${enforced.name}`, version] as const] : [],
    );
    assert.deepEqual(new Map([...listed].sort()), new Map([...recorded].sort()));
  });

  test('is told in words, version by version, in docs/REST-API-HISTORY.md', () => {
    const text = readFileSync(new URL('../../docs/REST-API-HISTORY.md', import.meta.url), 'utf8');
    const sections = text.split(/^## /m).slice(1);
    assert.deepEqual(
      sections.map((section) => section.split('\n')[0]),
      microversions.map(({ version }) => version),
    );
    for (const section of sections) assert.ok(section.split('\n').slice(1).join(' ').trim().length > 20, section);
  });
});

describe('every version keeps its promise', () => {
  for (const { version, words } of microversions)
    test(`${version}: ${words}`, async () => promises[version](new VersionCaller(await LocalBench.open())));
});

/** The member is in the body's schema from the version on, and not before or in another form. */
function assertSchemaChanges(route: string, name: string, version: string): void {
  const rows = rowsOf(route);
  const index = rows.findIndex(({ min }) => min === version);
  const formAt = (row: RouteRow | undefined) => schemas[row?.body_schema ?? '']?.properties?.[name];
  assert.ok(index > 0, `${route} has no range from ${version}`);
  assert.ok(formAt(rows[index]), name);
  assert.notDeepEqual(formAt(rows[index]), formAt(rows[index - 1]), name);
}
