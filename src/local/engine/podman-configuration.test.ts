import assert from 'node:assert/strict';
import { test } from 'node:test';
import { containersConf, registriesConf, storageConf } from './podman-configuration.ts';
import { podmanPaths } from './podman-paths.ts';

const paths = podmanPaths('/data/a "b"/engine');

test('ulimits stay within the hard limits, and are the usual ones where there are none', () => {
  const conf = (openFiles: number | null, processes: number | null) =>
    containersConf(paths, { limits: { openFiles, processes }, runc: null, hasNetavark: true });
  assert.match(conf(20000, 32768), /default_ulimits = \["nofile=20000:20000", "nproc=32768:32768"\]/);
  assert.match(conf(null, 9_999_999), /default_ulimits = \["nofile=1048576:1048576", "nproc=1048576:1048576"\]/);
});

test('runc and netavark are named only where they are', () => {
  const machine = { limits: { openFiles: null, processes: null }, runc: '/usr/sbin/runc', hasNetavark: false };
  assert.match(containersConf(paths, machine), /runtime = "runc"\n\[engine.runtimes\]\nrunc = \["\/usr\/sbin\/runc"\]/);
  assert.doesNotMatch(containersConf(paths, machine), /network_backend/);
  assert.doesNotMatch(containersConf(paths, { ...machine, runc: null }), /runtime/);
});

test('what watches an exec goes soon after its end, in the section that Podman reads it from', () => {
  const machine = { limits: { openFiles: null, processes: null }, runc: '/usr/sbin/runc', hasNetavark: true };
  assert.match(containersConf(paths, machine), /\[engine\]\n[^[]*exit_command_delay = 10\n/);
});

test('paths are quoted as TOML wants them, all below the folder', () => {
  assert.match(storageConf(paths, 'vfs'), /driver = "vfs"\ngraphroot = "\/data\/a \\"b\\"\/engine\/storage"/);
});

test('registries on this machine may do without TLS', () => {
  assert.match(registriesConf(), /location = "127.0.0.1"\ninsecure = true/);
});

test('a folder too deep for a socket gets a short one, its own', () => {
  const deep = podmanPaths(`/${'x'.repeat(120)}/engine`).socket;
  assert.match(deep, /^\/tmp\/zun-engine-[0-9a-f]{16}\.sock$/);
  assert.notEqual(deep, podmanPaths(`/${'y'.repeat(120)}/engine`).socket);
});
