import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { parseVersionHeader } from './version-header.ts';

test('the version header is read as by the original', () => {
  const call = (header: string | null) => {
    const parsed = parseVersionHeader(header ?? undefined, { major: 1, minor: 40 });
    if ('problem' in parsed && parsed.problem !== undefined) {
      throw new Error(parsed.problem);
    }
    return `${parsed.major}.${parsed.minor}`;
  };
  assert.equal(
    replayVectors('version_header', call, ({ message }) => ({ message })),
    20,
  );
});
