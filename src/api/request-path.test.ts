import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestPath } from './request-path.ts';

const segments = (path: string) => requestPath(path)?.segments;

test('a path is its decoded segments, under v1 whether it says so or not', () => {
  assert.deepEqual(segments('/'), []);
  assert.deepEqual(segments('/v1/containers/web%20x/'), ['v1', 'containers', 'web x']);
  assert.deepEqual(segments('/containers//web'), ['v1', 'containers', 'web']);
  assert.deepEqual(segments('/v2/containers'), ['v1', 'v2', 'containers']);
  assert.deepEqual(segments('/healthcheck'), ['healthcheck']);
});

test('a slash in a name stays in it, and an empty collection is one that is not there', () => {
  assert.deepEqual(segments('/v1/containers/a%2Fb'), ['v1', 'containers', 'a/b']);
  assert.deepEqual(segments('/v1//containers'), ['v1', '', 'containers']);
  assert.deepEqual(segments('/v1//'), ['v1']);
});

test('.json is a wish, not a part of the name', () => {
  assert.deepEqual(requestPath('/v1/containers/web.json'), { segments: ['v1', 'containers', 'web'], isJson: true });
  assert.deepEqual(requestPath('/v1.json'), { segments: ['v1'], isJson: true });
  assert.deepEqual(requestPath('/v1/containers/web.txt'), { segments: ['v1', 'containers', 'web.txt'], isJson: false });
});

test('broken percent encoding is told', () => {
  assert.equal(requestPath('/v1/containers/%zz'), null);
});
