import assert from 'node:assert/strict';
import { ZunError } from '../../src/errors/zun-error.ts';

/** Expects a call to reject with a `ZunError` of that status and text. */
export function refused(call: Promise<unknown>, status: number, text: RegExp): Promise<void> {
  return assert.rejects(call, (error) => error instanceof ZunError && error.status === status && text.test(error.message));
}
