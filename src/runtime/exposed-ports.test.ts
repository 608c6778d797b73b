import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVectors } from '../../test/contract/vectors.ts';
import { exposedPorts } from './exposed-ports.ts';

test('every recorded set of ports is completed or refused as by the original', () => {
  for (const { in: given, out, error } of loadVectors<Record<string, unknown>, Record<string, unknown>>('build_exposed_ports').cases) {
    if (!error) assert.deepEqual(exposedPorts(given), out, JSON.stringify(given));
    else assert.throws(() => exposedPorts(given), { message: error.message, status: error.status });
  }
});
