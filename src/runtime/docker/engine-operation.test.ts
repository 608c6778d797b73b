import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineOperation } from './engine-operation.ts';

const operations: [string, string, string][] = [
  ['GET', '/info', 'GET /info'],
  ['GET', '/containers/json', 'GET /containers/json'],
  ['POST', '/containers/create', 'POST /containers/create'],
  ['POST', '/containers/zun-1/start', 'POST /containers/{id}/start'],
  ['DELETE', '/containers/zun-1', 'DELETE /containers/{id}'],
  ['GET', '/images/json', 'GET /images/json'],
  ['GET', '/images/registry.example:5000/team/app:1/json', 'GET /images/{id}/json'],
  ['GET', '/images/busybox/json', 'GET /images/{id}/json'],
  ['DELETE', '/images/busybox%2Fx', 'DELETE /images/{id}'],
  ['POST', '/exec/abc/start', 'POST /exec/{id}/start'],
  ['POST', '/networks/n/connect', 'POST /networks/{id}/connect'],
  ['DELETE', '/volumes/v', 'DELETE /volumes/{id}'],
  ['GET', '/volumes', 'GET /volumes'],
];

for (const [method, path, expected] of operations)
  test(`${method} ${path} is counted as ${expected}`, () => assert.equal(engineOperation(method, path), expected));
