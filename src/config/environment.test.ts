import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvironment } from './environment.ts';

test('what the environment does not say is null, and so is what is empty', () => {
  for (const all of [
    {},
    { ZUN_PORT: '', ZUN_ADMIN_PORT: '', ZUN_ENGINE: '', ZUN_LOG: '', ZUN_CONFIG: '', ZUN_HOST: '', DOCKER_HOST: '' },
  ]) {
    const { port, adminPort, engine, logLevel, configFile, host, defaultRegistry, dockerHost } = readEnvironment(all);
    for (const value of [port, adminPort, engine, logLevel, configFile, host, defaultRegistry, dockerHost]) assert.equal(value, null);
  }
});

for (const [name, value] of [
  ['ZUN_PORT', '65533'],
  ['ZUN_PORT', '0'],
  ['ZUN_PORT', 'x'],
  ['ZUN_ADMIN_PORT', '65536'],
  ['ZUN_ADMIN_PORT', '-1'],
  ['ZUN_ENGINE', 'lxc'],
  ['ZUN_LOG', 'loud'],
  ['ZUN_TRACES', 'yes'],
] as const)
  test(`${name}=${value} is refused by name and value`, () => {
    assert.throws(() => readEnvironment({ [name]: value }), new RegExp(`^Error: ${name} is '${value}': .* wanted`));
  });
