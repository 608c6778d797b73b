import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ContainerAddress } from './container.ts';
import { observedAddresses, shownAddresses } from './observed-addresses.ts';

const open: ContainerAddress = { addr: '', version: 4, port: 'p', subnet_id: '', preserve_on_delete: false, by_runtime: 'cluster' };
const fixed: ContainerAddress = { addr: '10.0.0.9', version: 4, port: 'q', subnet_id: 's', preserve_on_delete: true };
const pod = { cluster: { ipv4: '10.88.0.7', ipv6: 'fd00::7', mac: null } };

test('the address that the runtime gave is shown, and another one after the next start', () => {
  const first = observedAddresses({ net: [open] }, pod);
  assert.deepEqual(shownAddresses(first), {
    net: [
      { addr: '10.88.0.7', version: 4, port: 'p', subnet_id: '', preserve_on_delete: false },
      { addr: 'fd00::7', version: 6, port: 'p', subnet_id: '', preserve_on_delete: false },
    ],
  });
  const next = observedAddresses(first, { cluster: { ipv4: '10.88.0.8', ipv6: null, mac: null } });
  assert.deepEqual(
    shownAddresses(next)?.net?.map(({ addr }) => addr),
    ['10.88.0.8'],
  );
});

test('what the network service gave stays, whatever the engine says', () => {
  assert.deepEqual(observedAddresses({ net: [fixed] }, pod), { net: [fixed] });
  assert.deepEqual(observedAddresses({ net: [open] }, { a: pod.cluster, b: pod.cluster }), { net: [open] });
});

test('of several networks each has the addresses that it gave', () => {
  const beside: ContainerAddress = { ...open, port: 'r', by_runtime: 'networks/blue' };
  const blue = { ipv4: '10.5.0.2', ipv6: null, mac: null };
  const seen = shownAddresses(observedAddresses({ net: [open], other: [beside], own: [fixed] }, { ...pod, 'networks/blue': blue }));
  const told = Object.entries(seen ?? {}).map(([network, list]) => [network, list.map(({ addr, port }) => `${port} ${addr}`)]);
  assert.deepEqual(told, [
    ['net', ['p 10.88.0.7', 'p fd00::7']],
    ['other', ['r 10.5.0.2']],
    ['own', ['q 10.0.0.9']],
  ]);
});

test('before the start nothing is shown, and an ended workload keeps its last address', () => {
  assert.deepEqual(shownAddresses({ net: [open], other: [fixed] }), { net: [], other: [fixed] });
  const known = { net: [{ ...open, addr: '10.88.0.7' }] };
  assert.deepEqual(observedAddresses(known, {}), known);
  assert.deepEqual(observedAddresses(known, { cluster: { ipv4: null, ipv6: null, mac: null } }), known);
});
