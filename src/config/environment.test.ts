import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEnvironment } from './environment.ts';

test('health and metrics are on the third port after the API, or where ZUN_ADMIN_PORT says', () => {
  const ports = (all: Record<string, string>) => {
    const { port, adminPort } = readEnvironment(all);
    return [port, adminPort];
  };
  assert.deepEqual(ports({}), [9517, 9520]);
  assert.deepEqual(ports({ ZUN_PORT: '7000' }), [7000, 7003]);
  assert.deepEqual(ports({ ZUN_PORT: '7000', ZUN_ADMIN_PORT: '9090' }), [7000, 9090]);
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
