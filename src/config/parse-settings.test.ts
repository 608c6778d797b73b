import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigurationError } from './configuration-error.ts';
import { parseSettings } from './parse-settings.ts';
import { defaultSettings } from './settings.ts';

const parse = (text: string) => parseSettings(text, 'zun.yaml', defaultSettings('node'));
const refusal = (text: string) => {
  try {
    parse(text);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message;
  }
  return assert.fail('was taken');
};

test('what the file names is set, everything else stays', () => {
  const { settings, given } = parse(
    'host: n1\napi:\n  port: 80\n  allowedOrigins: [https://a]\ncontainers:\n  imageDrivers:\n    - docker\n',
  );
  const expected = defaultSettings('n1');
  expected.api.listen.port = 80;
  expected.api.allowedOrigins = ['https://a'];
  expected.containers.imageDrivers = ['docker'];
  expected.limits.imageDrivers = ['docker'];
  assert.deepEqual(settings, expected);
  assert.deepEqual([...given], ['host', 'api.port', 'api.allowedOrigins', 'containers.imageDrivers']);
});

test('a file of nothing, of comments, or of empty sections changes nothing', () => {
  for (const text of ['', '# nothing\n', '---\n', 'api:\nlimits:\n  # minimumCpus: 1\n'])
    assert.deepEqual(parse(text).settings, defaultSettings('node'));
});

test('anchors and aliases count as what they stand for', () => {
  const { settings } = parse('worker:\n  concurrency: &n 3\nagent:\n  reportIntervalSeconds: *n\n');
  assert.deepEqual([settings.worker.concurrency, settings.agent.reportIntervalSeconds], [3, 3]);
});

for (const [what, text, words] of [
  ['an unknown key', 'api:\n  prot: 1\n', "zun.yaml:2:3: there is no setting 'api.prot'; the nearest is 'api.port'"],
  ['an unknown section', 'host: a\napis:\n  port: 1\n', "zun.yaml:2:1: there is no setting 'apis'; the nearest is 'api'"],
  [
    'a key of another section',
    'log:\n  concurrency: 1\n',
    "zun.yaml:2:3: there is no setting 'log.concurrency'; the nearest is 'worker.concurrency'",
  ],
  ['a value of another type', 'api:\n  port: "80"\n', "zun.yaml:2:9: api.port is '80': a whole number from 1 to 65535 is wanted"],
  ['a value out of range', 'api: {port: 65536}\n', 'zun.yaml:1:13: api.port is 65536: a whole number from 1 to 65535 is wanted'],
  [
    'a number with a unit',
    'limits:\n  maximumMemoryMiB: 8GiB\n',
    "zun.yaml:2:21: limits.maximumMemoryMiB is '8GiB': a whole number, 1 or more is wanted",
  ],
  ['nothing where null does not count', 'host:\n', 'zun.yaml:1:6: host is null: a name of at most 255 characters without spaces is wanted'],
  ['not a number', 'allocationRatios: {cpu: .nan}\n', 'zun.yaml:1:25: allocationRatios.cpu is NaN: a number above 0 is wanted'],
  [
    'a word that is none of the choices',
    'engine: {search: lxc}\n',
    "zun.yaml:1:18: engine.search is 'lxc': one of any, private, memory is wanted",
  ],
  [
    'a filter that is none',
    'scheduler:\n  enabledFilters: [RamFilter, Ram]\n',
    'zun.yaml:2:19: scheduler.enabledFilters is ["RamFilter","Ram"]: a list of these: ',
  ],
  ['a scalar for a section', 'api: 1\n', 'zun.yaml:1:6: api is a section: its settings are wanted below it'],
  ['a list for everything', '- api\n', 'zun.yaml:1:1: a map of settings is wanted'],
  ['a key that is given twice', 'host: a\nhost: b\n', 'zun.yaml:2:1: Map keys must be unique'],
  ['what is no YAML', 'api:\n  port: [1\n', 'zun.yaml:3:1: Flow sequence in block collection'],
  [
    'a short secret, unseen',
    'encryptionKey: geheim\n',
    'zun.yaml:1:16: encryptionKey is ***: at least 32 ASCII characters, or null is wanted',
  ],
  ['settings against each other', 'limits:\n  minimumCpus: 17\n', 'zun.yaml:2:3: limits.minimumCpus is 17 and limits.maximumCpus is 16: '],
] as const)
  test(`${what} is refused with its position`, () => {
    const message = refusal(text);
    assert.ok(message.startsWith(words), message);
  });

test('everything that is wrong is told at once', () => {
  assert.deepEqual(
    refusal('a1b2c3: 1\napi:\n  port: x\n  host: 3\n')
      .split('\n')
      .map((line) => line.split(' ')[0]),
    ['zun.yaml:1:1:', 'zun.yaml:3:9:', 'zun.yaml:4:9:'],
  );
});
