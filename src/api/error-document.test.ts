import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conflict, serviceUnavailable } from '../errors/catalogue.ts';
import { EdgeError } from './edge-error.ts';
import { errorReply } from './error-document.ts';

const reply = (error: unknown) => errorReply(error, 'application/json', () => 'the-id');

test('a refusal and a dependency that is away are told in their own words', () => {
  for (const error of [conflict('It runs.'), serviceUnavailable('The engine is away.')]) {
    const { status, body, correlationId } = reply(error);
    assert.deepEqual([status, correlationId], [error.status, null]);
    const [first] = (body as { errors: { title: string; detail: string }[] }).errors;
    assert.deepEqual([first?.title, first?.detail], [error.message, error.message]);
  }
});

test('a defect tells nothing but the id that the log has', () => {
  const { status, body, correlationId } = reply(new Error('a secret'));
  assert.deepEqual([status, correlationId], [500, 'the-id']);
  assert.match(JSON.stringify(body), /Error Correlation id is: the-id/);
  assert.doesNotMatch(JSON.stringify(body), /secret/);
});

test('no error asks to be tried again later in a header: python-zunclient breaks on Retry-After', () => {
  for (const error of [conflict('x'), serviceUnavailable('x'), new EdgeError(401, 'x'), new Error('x')]) {
    assert.equal('retry-after' in reply(error).headers, false);
  }
});
