import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { nextLink } from './collection-next.ts';

interface Input {
  uuids: string[];
  limit: number | null;
  sort_key?: string;
  sort_dir?: string;
  url?: string;
}

test('a full page links to the next one', () => {
  const call = ({ uuids, limit, url, ...parameters }: Input) =>
    nextLink({ uuids, limit, hostUrl: 'http://h:1', resource: url ?? 'containers', parameters });
  assert.equal(replayVectors('collection_next', call), 6);
});
