import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type FreshRoot, freshRoot } from './fresh-root.ts';

const minute = 60_000;

describe('on a fresh Debian 12 with Node 20 and npm only', () => {
  let root: FreshRoot;

  before(async () => {
    root = await freshRoot();
  });

  after(() => root?.remove());

  test('the machine has Node 20 and neither Git, Python, Docker nor Podman', async () => {
    const { stdout } = await root.run('node --version; command -v git python3 docker podman', minute);
    assert.match(stdout, /^v20\.[0-9.]+\n$/);
  });

  test('npm test installs what is locked, says so, runs the tests with Node 24, and passes in under two minutes after that', async () => {
    const { exitCode, stdout, stderr } = await root.run('npm test', 10 * minute);
    assert.equal(exitCode, 0, stdout.slice(-10_000) + stderr);
    assert.match(stderr, /^zun: installing the locked packages/m);
    assert.doesNotMatch(stderr, /warn/i);
    assert.match(stdout, /^ℹ pass [1-9]/m);
    assert.match(stdout, /^ℹ fail 0$/m);
    const [, duration] = /^ℹ duration_ms ([0-9.]+)$/m.exec(stdout) ?? [];
    assert.ok(Number(duration) < 2 * minute, `took ${duration} ms`);
  });

  test('the second time nothing is installed', async () => {
    const { exitCode, stdout, stderr } = await root.run('npm test -- tools/imports/violations.test.ts', minute);
    assert.equal(exitCode, 0, stdout + stderr);
    assert.equal(stderr, '');
  });
});
