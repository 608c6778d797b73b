import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOsloFile } from './oslo-file.ts';
import { withReferences } from './oslo-references.ts';

const file = readOsloFile('my_ip = 10.0.0.5\nloop = $loop\n[a]\nhost = $my_ip\nmy_ip = 10.0.0.9\n');
const options = [
  { group: 'DEFAULT', name: 'state_path', type: 'String', default: '/var/lib/$name' },
  { group: 'DEFAULT', name: 'name', type: 'String', default: 'zun' },
  { group: 'DEFAULT', name: 'found', type: 'String', default: '<host_ipv4>', sample_default: true },
];

for (const [text, group, expected] of [
  ['http://$my_ip:80/', 'b', 'http://10.0.0.5:80/'],
  [`\${my_ip}x`, 'DEFAULT', '10.0.0.5x'],
  ['$my_ip', 'a', '10.0.0.9'],
  [`\${a.host} $a.host`, 'b', '10.0.0.9 10.0.0.9'],
  ['$state_path/images', 'b', '/var/lib/zun/images'],
  ['$$my_ip and \\$my_ip', 'b', '$my_ip and $my_ip'],
  ['$found $nothing', 'b', '$found $nothing'],
  ['$loop', 'DEFAULT', '$loop'],
] as const)
  test(`${text} in ${group} is ${expected}`, () => {
    assert.equal(withReferences(text, group, file, options), expected);
  });
