import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubeOperation } from './kube-operation.ts';

const operations: [string, string][] = [
  ['/api/v1/pods', '/api/v1/pods'],
  ['/api/v1/namespaces', '/api/v1/namespaces'],
  ['/api/v1/namespaces/n', '/api/v1/namespaces/{name}'],
  ['/api/v1/namespaces/n/pods', '/api/v1/namespaces/{namespace}/pods'],
  ['/api/v1/namespaces/n/pods/p', '/api/v1/namespaces/{namespace}/pods/{name}'],
  ['/api/v1/namespaces/n/pods/p/log', '/api/v1/namespaces/{namespace}/pods/{name}/log'],
  ['/api/v1/nodes/n/proxy/stats/summary', '/api/v1/nodes/{name}/proxy'],
  ['/apis/coordination.k8s.io/v1/namespaces/n/leases/l', '/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}'],
  ['/version', '/version'],
  ['/readyz', '/readyz'],
];

for (const [path, operation] of operations)
  test(`${path} is ${operation}`, () => {
    assert.equal(kubeOperation('GET', path), `GET ${operation}`);
  });
