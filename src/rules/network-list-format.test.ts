import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadVectors } from '../../test/contract/vectors.ts';
import { type ContainerAddresses, legacyNetworkList, networkList } from './network-list-format.ts';

interface Recorded {
  in: ContainerAddresses;
  'v1.13': { out?: unknown };
  'v1.18': { out?: unknown };
}

test('addresses are listed one by one before 1.18, by port from then on', () => {
  const cases = loadVectors<ContainerAddresses, unknown>('network_list_format').cases as unknown as Recorded[];
  assert.equal(cases.length, 5);
  for (const { in: addresses, 'v1.13': legacy, 'v1.18': byPort } of cases) {
    assert.deepEqual(legacyNetworkList(addresses), legacy.out);
    if (byPort.out) {
      assert.deepEqual(networkList(addresses), byPort.out);
    }
  }
});

test('an address without a port is listed, where the original answers 500', () => {
  assert.deepEqual(networkList({ n: [{ addr: '1.1.1.1' }] }), [
    { net_id: 'n', port_id: null, fixed_ips: [{ subnet_id: null, version: null, ip_address: '1.1.1.1' }] },
  ]);
});
