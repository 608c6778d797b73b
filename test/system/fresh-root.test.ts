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

  test('npm test installs what is locked, says so, runs the tests with Node 24, and passes', async (context) => {
    const { exitCode, stdout, stderr } = await root.run('npm test', 10 * minute);
    assert.equal(exitCode, 0, stdout.slice(-10_000) + stderr);
    assert.match(stderr, /^zun: installing the locked packages/m);
    assert.doesNotMatch(stderr, /warn/i);
    assert.match(stdout, /^ℹ pass [1-9]/m);
    assert.match(stdout, /^ℹ fail 0$/m);
    const [, duration] = /^ℹ duration_ms ([0-9.]+)$/m.exec(stdout) ?? [];
    context.diagnostic(`npm test took ${Math.round(Number(duration) / 1000)} s`);
  });

  test('the second time nothing is installed', async () => {
    const { exitCode, stdout, stderr } = await root.run('npm test -- tools/imports/violations.test.ts', minute);
    assert.equal(exitCode, 0, stdout + stderr);
    assert.equal(stderr, '');
  });

  test('npm run demo brings an engine, takes a container to its output, and leaves nothing behind', async () => {
    const { exitCode, stdout, stderr } = await root.run('npm run demo && ls /tmp | grep zun-demo || echo nothing left', 5 * minute);
    assert.equal(exitCode, 0, stdout + stderr);
    assert.match(stdout, /Hello from my-first-container/);
    assert.match(stdout, /nothing left/);
  });

  test('npm start becomes ready, says how to use it, and ends on SIGTERM', async () => {
    const script = [
      'export ZUN_PORT=39517; npm start >/tmp/out 2>&1 & pid=$!',
      'for i in $(seq 600); do grep -q "^ready " /tmp/out && break; sleep 0.1; done',
      'kill -TERM $pid; wait $pid; echo "status $?"; cat /tmp/out; stat -c %a /root/.zun/clouds.yaml',
    ].join('\n');
    const { exitCode, stdout } = await root.run(script, 5 * minute);
    assert.equal(exitCode, 0, stdout);
    assert.match(stdout, /^ready http:\/\/127\.0\.0\.1:39517 clouds=\/root\/\.zun\/clouds\.yaml$/m);
    assert.match(stdout, /^status 0$/m);
    assert.match(stdout, /^600$/m);
  });
});
