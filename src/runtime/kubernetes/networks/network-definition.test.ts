import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interfaceOn, networkFacts, subnetsAnnotation } from './network-definition.ts';

const facts = (config: unknown, subnets?: string) =>
  networkFacts({
    metadata: { name: 'n', ...(subnets === undefined ? {} : { annotations: { [subnetsAnnotation]: subnets } }) },
    spec: { config: typeof config === 'string' ? config : JSON.stringify(config) },
  });

test('subnets are those of host-local and whereabouts, of a single plugin and of a list of them', () => {
  const cidrs = (ipam: object) => facts({ type: 'bridge', ipam }).subnets;
  assert.deepEqual(cidrs({ type: 'host-local', subnet: '10.1.0.0/24', gateway: '10.1.0.254' }), [
    { cidr: '10.1.0.0/24', gateway: '10.1.0.254' },
  ]);
  const ranges = [[{ subnet: '10.1.0.0/24', gateway: '10.1.0.1' }, { subnet: '10.2.0.0/24' }], [{ subnet: 'fd00:1::/64' }]];
  assert.deepEqual(
    cidrs({ type: 'host-local', ranges }).map(({ cidr }) => cidr),
    ['10.1.0.0/24', '10.2.0.0/24', 'fd00:1::/64'],
  );
  assert.deepEqual(cidrs({ type: 'whereabouts', range: '10.3.0.10-10.3.0.20/24', gateway: '10.3.0.1' }), [
    { cidr: '10.3.0.20/24', gateway: '10.3.0.1' },
  ]);
  assert.deepEqual(cidrs({ type: 'whereabouts', ipRanges: [{ range: '10.4.0.0/16' }, { range: 'fd00:4::/64' }] }).length, 2);
  const list = { plugins: [{ type: 'bridge', ipam: { type: 'host-local', subnet: '10.5.0.0/24' } }, { type: 'tuning' }] };
  assert.deepEqual(facts(list).subnets, [{ cidr: '10.5.0.0/24', gateway: null }]);
});

test("what a configuration does not tell, its operator's annotation may", () => {
  assert.deepEqual(facts({ type: 'macvlan', ipam: { type: 'dhcp' } }, '10.6.0.0/24, fd00:6::/64').subnets, [
    { cidr: '10.6.0.0/24', gateway: null },
    { cidr: 'fd00:6::/64', gateway: null },
  ]);
  assert.deepEqual(facts({ type: 'macvlan' }).subnets, []);
});

test('a configuration that is none, or lies elsewhere, tells nothing, and nor do subnets that are none', () => {
  for (const config of ['', '{', 'null-and-void', '[]', '{"plugins":[]}', '{"ipam":{"type":"host-local","subnet":"10.1.0.0/33"}}'])
    assert.deepEqual(facts(config), { subnets: [], addresses: 'given', takesMac: false }, config);
  assert.deepEqual(networkFacts({}), { subnets: [], addresses: 'given', takesMac: false });
});

test('addresses are taken where a plugin says that it can, and needed where there are no others', () => {
  const addresses = (capabilities: object, type: string) =>
    facts({ plugins: [{ type: 'bridge', capabilities, ipam: { type } }] }).addresses;
  assert.equal(addresses({}, 'static'), 'given');
  assert.equal(addresses({ ips: true }, 'static'), 'needed');
  assert.equal(addresses({ ips: true }, 'host-local'), 'asked');
  assert.equal(addresses({ ips: false }, 'host-local'), 'given');
});

test('an interface has the prefix of its subnet, and nothing that its network would pass over', () => {
  const wanted = { engineNetwork: 'networks/n', ipv4: '10.1.2.3', ipv6: 'fd00::3', mac: 'fa:16:3e:00:00:01' };
  const ipam = { type: 'static' };
  const all = facts({ type: 'bridge', capabilities: { ips: true, mac: true }, ipam }, 'fd00::/48,10.9.0.0/16,10.1.2.0/24');
  assert.deepEqual(interfaceOn(all, wanted), { ...wanted, ipv4: '10.1.2.3/24', ipv6: 'fd00::3/48' });
  assert.deepEqual(interfaceOn(facts({ type: 'bridge', ipam: { type: 'host-local', subnet: '10.1.2.0/24' } }), wanted), {
    ...wanted,
    ...{ ipv4: null, ipv6: null, mac: null },
  });
});
