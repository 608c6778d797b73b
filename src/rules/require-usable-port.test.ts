import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replayVectors } from '../../test/contract/replay-vectors.ts';
import { type NeutronPort, requireUsablePort } from './require-usable-port.ts';

test("another project's port, one in use and one whose binding failed are refused", () => {
  assert.equal(
    replayVectors('ensure_neutron_port_usable', (port: NeutronPort) => requireUsablePort(port, 'proj') ?? null),
    11,
  );
});
