import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { FixtureSource } from './runtime-fixture.ts';
import { endsWith, shell } from './scripts.ts';
import { tarOf, untar } from './tar.ts';
import { refused, withCreated, withStarted } from './workload.ts';

/** Files in and out as tar archives. */
export function archiveTests(fixture: FixtureSource): void {
  test('a file put in comes out byte for byte, while it runs', async () => {
    const { runtime } = fixture();
    const bytes = randomBytes(70_000);
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await runtime.putArchive(uuid, '/', await tarOf({ 'data.bin': bytes }));
      const { tar, stat } = await runtime.getArchive(uuid, '/data.bin');
      const files = await untar(tar);
      assert.deepEqual(Object.keys(files), ['data.bin']);
      assert.deepEqual(files['data.bin'], bytes);
      assert.deepEqual([stat.name, stat.size, stat.linkTarget], ['data.bin', bytes.length, '']);
      assert.equal(stat.mode & 0o777, 0o644);
      assert.ok(!Number.isNaN(Date.parse(stat.mtime)), stat.mtime);
      assert.deepEqual((await runtime.exec(uuid, ['cat', '/data.bin'], 10_000)).output, bytes);
    });
  });

  test('files go in and out of what is not running', async () => {
    const { runtime, filesBeforeStart = true, keepsFiles = true } = fixture();
    await withCreated(fixture(), { command: endsWith(0) }, async ({ uuid, until }) => {
      const early = runtime.putArchive(uuid, '/', await tarOf({ early: Buffer.from('1') }));
      await (filesBeforeStart ? early : refused(early, 'conflict'));
      await runtime.start(uuid);
      await until('exited');
      const late = runtime.putArchive(uuid, '/', await tarOf({ late: Buffer.from('2') }));
      if (!keepsFiles) return refused(late, 'conflict');
      await late;
      if (filesBeforeStart) assert.deepEqual(await untar((await runtime.getArchive(uuid, '/early')).tar), { early: Buffer.from('1') });
      assert.deepEqual(await untar((await runtime.getArchive(uuid, '/late')).tar), { late: Buffer.from('2') });
    });
  });

  test('a folder comes out with what is in it', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await runtime.putArchive(uuid, '/', await tarOf({ 'folder/a': Buffer.from('A'), 'folder/deep/b': Buffer.from('B') }));
      const { tar, stat } = await runtime.getArchive(uuid, '/folder');
      assert.equal(stat.name, 'folder');
      assert.deepEqual(await untar(tar), { 'folder/a': Buffer.from('A'), 'folder/deep/b': Buffer.from('B') });
      await runtime.putArchive(uuid, '/folder', await tarOf({ c: Buffer.from('C') }));
      assert.equal((await runtime.exec(uuid, shell('cat /folder/c'), 10_000)).output.toString(), 'C');
    });
  });

  test('paths that are not there are not-found, both ways', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await refused(runtime.getArchive(uuid, '/no/such/file'), 'not-found');
      await refused(runtime.putArchive(uuid, '/no/such/folder', await tarOf({ a: Buffer.from('') })), 'not-found');
    });
  });

  test('bytes that are no tar, and a path that is no folder, are invalid', async () => {
    const { runtime } = fixture();
    await withStarted(fixture(), {}, async ({ uuid }) => {
      await refused(runtime.putArchive(uuid, '/', Buffer.from('this is no archive')), 'invalid');
      await refused(runtime.putArchive(uuid, '/', randomBytes(2048)), 'invalid');
      await runtime.putArchive(uuid, '/', await tarOf({ plain: Buffer.from('x') }));
      await refused(runtime.putArchive(uuid, '/plain', await tarOf({ a: Buffer.from('') })), 'invalid');
    });
  });
}
