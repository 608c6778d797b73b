import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { endsWith, speaksOnBothStreams } from './scripts.ts';
import { refused, withCreated, withStarted } from './workload.ts';

const STAMPED = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) (.*)$/;

/** What a workload said, and the ways to ask for parts of it. */
export function logTests(fixture: FixtureSource): void {
  test('logs give both streams in order, each alone, the last lines, and lines since a time', async () => {
    await withStarted(fixture(), { command: speaksOnBothStreams }, async (workload) => {
      await workload.untilLogged('three');
      assert.equal(await workload.logs(), 'one\ntwo\nthree\n');
      assert.equal(await workload.logs({ stderr: false }), 'one\nthree\n');
      assert.equal(await workload.logs({ stdout: false }), 'two\n');
      assert.equal(await workload.logs({ tail: 1 }), 'three\n');
      assert.equal(await workload.logs({ tail: 2 }), 'two\nthree\n');
      assert.equal(await workload.logs({ tail: 50 }), 'one\ntwo\nthree\n');

      const lines = (await workload.logs({ timestamps: true })).trimEnd().split('\n');
      const stamped = lines.map((line) => STAMPED.exec(line));
      assert.deepEqual(
        stamped.map((match) => match?.[2]),
        ['one', 'two', 'three'],
      );
      const times = stamped.map((match) => Date.parse(match?.[1] ?? ''));
      assert.deepEqual(
        times,
        times.toSorted((a, b) => a - b),
      );
      const since = await workload.logs({ since: Math.floor((times[2] ?? 0) / 1000) });
      assert.match(since, /three\n$/);
      assert.doesNotMatch(since, /one/);
      assert.equal(await workload.logs({ since: Math.floor((times[2] ?? 0) / 1000) + 3600 }), '');
    });
  });

  test('a request for neither stream is refused as invalid', async () => {
    await withStarted(fixture(), {}, async (workload) => {
      await refused(workload.logs({ stdout: false, stderr: false }), 'invalid');
    });
  });

  test('logs of what never started are empty, and of what ended are kept', async () => {
    await withCreated(fixture(), { command: endsWith(1) }, async (workload) => {
      assert.equal(await workload.logs(), '');
      await fixture().runtime.start(workload.uuid);
      await workload.until('exited');
      assert.equal(await workload.untilLogged('run'), 'run\n');
    });
  });
}
