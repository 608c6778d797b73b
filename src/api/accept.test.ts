import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptsJson, prefersJson } from './accept.ts';

test('JSON is sent to those who name it, a range with it, or nothing', () => {
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/*',
    'text/html, */*;q=0.1',
    'application/json;v=1',
    'nonsense',
  ]) {
    assert.equal(acceptsJson(accept), true, accept);
  }
  for (const accept of ['text/html', 'application/xml', 'text/*, image/png', '*/*, application/json;q=0'])
    assert.equal(acceptsJson(accept), accept.startsWith('application/json'), accept);
});

test('JSON is preferred where it is wanted more than HTML', () => {
  for (const accept of ['application/json', 'application/json, */*;q=0.1', 'text/html;q=0.5, application/json'])
    assert.equal(prefersJson(accept), true, accept);
  for (const accept of [undefined, '*/*', 'text/html', 'application/json, */*', 'text/html, application/json'])
    assert.equal(prefersJson(accept), false, accept);
});
