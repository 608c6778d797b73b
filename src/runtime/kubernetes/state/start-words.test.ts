import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startWords } from './start-words.ts';

// Others are in what is recorded: `test/kubernetes-golden/statuses/`.
const texts = {
  'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "x": not found: unknown':
    'error during container init: exec: "x": not found',
  'failed to start container "abc": rpc error: code = Unknown desc = OCI runtime start failed: starting container: starting sub-container [x y]: creating process: x: unknown':
    'creating process: x',
  'container create failed: time="now" level=error': 'container create failed: time="now" level=error',
  'an unknown: unknown word': 'an unknown: unknown word',
  '': '',
};

for (const [message, words] of Object.entries(texts)) {
  test(`of what the runtime said, its own words are left: ${words}`, () => assert.equal(startWords(message), words));
}
