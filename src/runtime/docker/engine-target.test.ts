import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseApiVersion, parseEngineAddress } from './engine-target.ts';

test('an address is a socket or a TCP origin', () => {
  assert.deepEqual(parseEngineAddress('unix:///run/d.sock'), { socketPath: '/run/d.sock', origin: 'http://localhost' });
  assert.deepEqual(parseEngineAddress('/run/d.sock'), { socketPath: '/run/d.sock', origin: 'http://localhost' });
  assert.deepEqual(parseEngineAddress('tcp://127.0.0.1:2375'), { socketPath: null, origin: 'http://127.0.0.1:2375' });
  assert.deepEqual(parseEngineAddress('http://[::1]:2375/'), { socketPath: null, origin: 'http://[::1]:2375' });
});

test('an address of another kind is refused with its name', () => {
  for (const address of ['ssh://host', 'host:2375', 'tcp://', ''])
    assert.throws(() => parseEngineAddress(address), /The engine's address/, address);
});

test('plain text to another machine is refused, with what to do instead', () => {
  for (const address of [
    'tcp://10.0.0.1:2375',
    'http://engine.example:2375',
    'tcp://localhost.example:2375',
    'http://127.0.0.1@10.0.0.1:2375',
  ])
    assert.throws(() => parseEngineAddress(address), /is plain text to another machine\. Forward its socket/, address);
});

test('the API version is 1.41 where the engine has it, else its nearest', () => {
  assert.equal(chooseApiVersion({ ApiVersion: '1.41', MinAPIVersion: '1.12' }), '1.41');
  assert.equal(chooseApiVersion({ ApiVersion: '1.48', MinAPIVersion: '1.24' }), '1.41');
  assert.equal(chooseApiVersion({ ApiVersion: '1.52', MinAPIVersion: '1.44' }), '1.44');
  assert.equal(chooseApiVersion({ ApiVersion: '1.9', MinAPIVersion: '1.9' }), '1.9');
  assert.equal(chooseApiVersion({}), '1.41');
});
