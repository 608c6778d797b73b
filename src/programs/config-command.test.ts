import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parse } from 'yaml';
import { readEnvironment } from '../config/environment.ts';
import { configCommand } from './config-command.ts';
import { UsageError } from './usage-error.ts';

function folder(t: TestContext, files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'zun-config-'));
  t.after(() => rmSync(path, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text);
  return path;
}

function config(args: string[], environment: Record<string, string> = {}) {
  const lines = { out: [] as string[], error: [] as string[] };
  const output = { out: (line: string) => lines.out.push(line), error: (line: string) => lines.error.push(line) };
  const code = configCommand(args, output, () => readEnvironment(environment));
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}

const key = '0123456789abcdef0123456789abcdef';

test('show prints what is in force, from file and environment, and no secret', (t) => {
  const path = folder(t, { 'zun.yaml': `encryptionKey: ${key}\napi: {port: 7000}\n`, 'other.yaml': 'api: {port: 8000}\n' });
  const { code, out } = config(['show'], { ZUN_DATA: path, ZUN_LOG: 'debug' });
  assert.equal(code, 0);
  assert.ok(!out.includes(key));
  const shown = parse(out);
  assert.deepEqual([shown.encryptionKey, shown.api.port, shown.log.level, shown.admin.port], ['***', 7000, 'debug', 7003]);
  const other = parse(config(['show', '--config', join(path, 'other.yaml')], { ZUN_DATA: path }).out);
  assert.deepEqual([other.encryptionKey, other.api.port], [null, 8000]);
  const programs = parse(config(['show', '--programs', '--config', join(path, 'other.yaml')], { ZUN_DATA: path }).out);
  assert.deepEqual([programs.api.port, programs.admin.port, programs.containers.defaultImagePullPolicy], [8000, 9090, 'always']);
});

test('check answers 1 and tells each problem with its position, whatever the environment says', (t) => {
  const path = folder(t, { 'good.yaml': 'host: n1\n', 'bad.yaml': 'api:\n  prot: 1\nworker: {concurrency: 0}\n' });
  const good = join(path, 'good.yaml');
  assert.deepEqual(config(['check', good]), { code: 0, out: `${good} can be used.`, error: '' });
  const { code, error } = config(['check', join(path, 'bad.yaml')]);
  assert.equal(code, 1);
  assert.match(
    error,
    /bad\.yaml:2:3: there is no setting 'api\.prot'; .*\n.*bad\.yaml:3:23: worker\.concurrency is 0: a whole number, 1 or more/,
  );
});

test('convert writes a file that only its owner reads, that check takes, and over no other; what it left out is told', (t) => {
  const path = folder(t, { 'zun.conf': `[DEFAULT]\nauth_encryption_key = ${key}\nhost = n1\n[api]\nworkers = 4\n` });
  const [conf, yaml] = [join(path, 'zun.conf'), join(path, 'zun.yaml')];
  const printed = config(['convert', conf]);
  assert.equal(printed.error, 'dropped: [api]/workers = 4: One process serves; for more, more of them are started.');
  assert.equal(config(['convert', conf, '--output', yaml]).code, 0);
  assert.equal(readFileSync(yaml, 'utf8'), `${printed.out}\n`);
  assert.equal(statSync(yaml).mode & 0o777, 0o600);
  assert.equal(config(['check', yaml]).code, 0);
  assert.deepEqual(parse(readFileSync(yaml, 'utf8')), { host: 'n1', encryptionKey: key });
  assert.throws(() => config(['convert', conf, '--output', yaml]), /EEXIST/);
});

test('convert says what the options of the file cannot be together', (t) => {
  const conf = join(folder(t, { 'zun.conf': 'minimum_cpus = 20\n' }), 'zun.conf');
  const { code, error } = config(['convert', conf]);
  assert.equal(code, 1);
  assert.match(error, /^the new file:5:3: limits\.minimumCpus is 20 and limits\.maximumCpus is 16: /);
});

test('a file that cannot be read is an error with its name', (t) => {
  const path = folder(t, { 'zun.conf': 'nonsense\n' });
  assert.throws(() => config(['convert', join(path, 'zun.conf')]), /zun\.conf: line 1 is neither a section nor a setting: nonsense$/);
  for (const args of [
    ['convert', join(path, 'no')],
    ['check', join(path, 'no')],
    ['show', '--config', join(path, 'no')],
  ])
    assert.throws(() => config(args), /ENOENT/);
});

test('a command line that is not understood is refused in words', () => {
  for (const [args, words] of [
    [[], /^a command is missing\nusage: zun config show/],
    [['set'], /^there is no command 'set'/],
    [['toString'], /^there is no command 'toString'/],
    [['check'], /^check wants one file/],
    [['show', 'x'], /^show takes --config FILE and --programs only/],
    [['check', 'x', '--output', 'y'], /^--output is for convert/],
    [['check', 'x', '--config', 'y'], /^--config is for show/],
    [['check', 'x', '--programs'], /^--programs is for show/],
    [['show', '--cnofig', 'y'], /^Unknown option '--cnofig'/],
  ] as const)
    assert.throws(
      () => config([...args]),
      (error) => error instanceof UsageError && words.test(error.message),
    );
});
