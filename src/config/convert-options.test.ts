import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { convertOptions } from './convert-options.ts';
import { droppedOption } from './dropped-option.ts';
import { droppedOptions } from './dropped-options.ts';
import { droppedOptionsDocument } from './dropped-options-document.ts';
import { originalOptions } from './original-options.ts';
import { readOsloFile } from './oslo-file.ts';
import { parseSettings } from './parse-settings.ts';
import { defaultSettings } from './settings.ts';
import { settingsTable } from './settings-table.ts';

const options = originalOptions();
const convert = (text: string) => convertOptions(readOsloFile(text), options);
const parsed = (yaml: string) => parseSettings(yaml, 'zun.yaml', defaultSettings('node')).settings;
const notesOf = (text: string) => convert(text).notes.map(({ kind, option, value }) => [kind, option, value]);
const replaced = settingsTable.flatMap(({ replaces = [] }) => replaces);

test('each of the 177 options of the original is a setting or dropped with a reason, and never both', () => {
  assert.equal(options.length, 177);
  const undecided = options.filter(({ group, name }) => {
    const named = droppedOptions.filter((row) => row.group === group && row.names?.includes(name)).length;
    return named + (replaced.includes(`${group}/${name}`) ? 1 : 0) !== 1;
  });
  assert.deepEqual(undecided, []);
  for (const { why } of droppedOptions) assert.match(why, /^[A-Z].*\.$/s);
});

test('no row decides an option that the original does not have', () => {
  const known = new Set(options.map(({ group, name }) => `${group}/${name}`));
  const ofLibraries = ['cors/allowed_origin', 'database/connection', 'DEFAULT/debug'];
  const decided = droppedOptions.flatMap(({ group, names }) => (names ?? []).map((name) => `${group}/${name}`));
  assert.deepEqual(
    [...decided, ...replaced].filter((option) => !known.has(option) && !ofLibraries.includes(option)),
    [],
  );
});

test('the document of dropped options is what the tables say (else run tools/generate-config-files.ts)', () => {
  assert.equal(readFileSync(new URL('../../config/dropped-options.md', import.meta.url), 'utf8'), droppedOptionsDocument());
});

test("the original's own defaults, written out, give the defaults", () => {
  const text = ['DEFAULT', ...new Set(options.map(({ group }) => group).filter((group) => group !== 'DEFAULT'))].map((group) => {
    const mapped = options.filter(
      (option) => option.group === group && replaced.includes(`${group}/${option.name}`) && !option.sample_default,
    );
    const lines = mapped.flatMap(({ name, default: usual }) => (usual === null ? [] : [`${name} = ${usual}`]));
    return [`[${group}]`, ...lines].join('\n');
  });
  const { yaml, notes } = convert(text.join('\n'));
  assert.deepEqual(
    notes.map(({ kind, option }) => [kind, option]),
    // Their defaults are of the machine that reads them.
    [
      ['refused', '[api]/host_ip'],
      ['refused', '[websocket_proxy]/wsproxy_host'],
      ['refused', '[websocket_proxy]/base_url'],
    ],
  );
  const expected = defaultSettings('node');
  expected.encryptionKey = 'notgood but just long enough i t';
  expected.engine.address = 'unix:///var/run/docker.sock';
  assert.deepEqual(parsed(yaml), expected);
});

test('a production file gives its settings, and names everything else with a reason', () => {
  const { yaml, notes } = convert(
    [
      '[DEFAULT]',
      '# the address of this node',
      'my_ip = 10.0.0.5',
      'host = compute-1',
      'debug = True',
      'transport_url = rabbit://zun:geheim@mq1,zun:geheim@mq2',
      'auth_encryption_key = 0123456789abcdef0123456789abcdef',
      'default_cpu = 0.5',
      'image_driver_list = docker,',
      '  glance',
      'sync_container_state_interval = 30',
      '[api]',
      `host_ip = \${my_ip}`,
      'port = 9600',
      '[database]',
      'connection = mysql+pymysql://zun:geheim@db/zun',
      '[compute]',
      'cpu_allocation_ratio = 4.0',
      'initial_cpu_allocation_ratio = 8.0',
      'unique_container_name_scope = project',
      '[scheduler]',
      'enabled_filters = RamFilter, "CPUFilter", PciPassthroughFilter',
      '[keystone_auth]',
      'auth-url = http://keystone/v3',
      'password = geheim',
      '[websocket_proxy]',
      'base_url = ws://$wsproxy_host:$wsproxy_port/',
      'wsproxy_host = 10.0.0.6',
      '[nova]',
      'x = 1',
    ].join('\n'),
  );
  const expected = defaultSettings('compute-1');
  expected.api.listen = { host: '10.0.0.5', port: 9600 };
  expected.log.level = 'debug';
  expected.encryptionKey = '0123456789abcdef0123456789abcdef';
  expected.databaseUrl = 'mysql+pymysql://zun:geheim@db/zun';
  expected.containers.defaultCpu = 0.5;
  expected.containers.imageDrivers = ['docker', 'glance'];
  expected.limits.imageDrivers = ['docker', 'glance'];
  expected.sync.listIntervalMilliseconds = 30_000;
  expected.consoles.listen.host = '10.0.0.6';
  expected.consoles.publicUrl = 'ws://10.0.0.6:6784/';
  expected.allocationRatios.cpu = 4;
  expected.containers.uniqueNameScope = 'project';
  expected.scheduler.enabledFilters = ['RamFilter', 'CPUFilter'];
  assert.deepEqual(parsed(yaml), expected);
  assert.deepEqual(notes.map(({ kind, option, value }) => [kind, option, value]).sort(), [
    ['dropped', '[DEFAULT]/my_ip', '10.0.0.5'],
    ['dropped', '[DEFAULT]/transport_url', '***'],
    ['dropped', '[compute]/initial_cpu_allocation_ratio', '8.0'],
    ['refused', '[scheduler]/enabled_filters', 'RamFilter, "CPUFilter", PciPassthroughFilter'],
    ['reserved', '[keystone_auth]/auth_url', 'http://keystone/v3'],
    ['reserved', '[keystone_auth]/password', '***'],
    ['unknown', '[nova]/x', '1'],
  ]);
  assert.ok(!yaml.replace(/^ {2}url: .*$/m, '').includes('geheim'), 'passwords are only where they count');
  for (const { option } of notes) assert.ok(yaml.includes(`# ${option} = `), option);
});

test('a value that would be refused is left out and told, on one line whatever it holds', () => {
  assert.deepEqual(notesOf('default_cpu = many\n[api]\nport = 0\nhost_ip = $my_ip\n[profiler]\nes_doc_type = a,\n  host: b\n'), [
    ['refused', '[api]/host_ip', '$my_ip'],
    ['refused', '[api]/port', '0'],
    ['refused', '[DEFAULT]/default_cpu', 'many'],
    ['dropped', '[profiler]/es_doc_type', 'a, host: b'],
  ]);
  assert.deepEqual(parsed(convert('[profiler]\nes_doc_type = a,\n  host: b\n').yaml), defaultSettings('node'));
});

test('an empty file gives an empty one', () => {
  assert.deepEqual(convert(''), { yaml: '', notes: [] });
});

test('a row of a whole group gives way to one that names the option', () => {
  const table = [
    { group: 'g', names: null, why: 'Group.' },
    { group: 'g', names: ['log_*'], why: 'Named.' },
  ];
  assert.equal(droppedOption(table, 'g', 'log_dir')?.why, 'Named.');
  assert.equal(droppedOption(table, 'g', 'other')?.why, 'Group.');
  assert.equal(droppedOption(table, 'h', 'log_dir'), null);
});
