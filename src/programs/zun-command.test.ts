import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { zunCommand } from './zun-command.ts';

async function zun(...args: string[]): Promise<{ code: number; out: string; error: string }> {
  const lines = { out: [] as string[], error: [] as string[] };
  const code = await zunCommand(args, { out: (line) => lines.out.push(line), error: (line) => lines.error.push(line) });
  return { code, out: lines.out.join('\n'), error: lines.error.join('\n') };
}

/** What `policy check --json` answers. */
async function rules(...args: string[]): Promise<Record<string, boolean>> {
  const { code, out, error } = await zun('policy', 'check', '--json', ...args);
  assert.equal(code, 0, error);
  return JSON.parse(out);
}

const demo = ['--user-id', 'u', '--project-id', 'p', '--roles', 'member,reader'];

describe('zun policy check', () => {
  test('tells of every rule whether the caller passes it', async () => {
    const passes = await rules(...demo);
    assert.equal(Object.keys(passes).length, 82);
    assert.deepEqual([passes['container:create'], passes['host:get_all'], passes['container:create:privileged']], [true, false, false]);
    const admin = await rules('--roles', 'admin');
    assert.deepEqual([admin.context_is_admin, admin['host:get_all'], admin['container:create:privileged']], [true, true, false]);
  });

  test('judges what is acted on by its project, the caller’s own unless another is named', async () => {
    assert.deepEqual(await rules(...demo, 'container:delete'), { 'container:delete': true });
    assert.deepEqual(await rules(...demo, '--target-project', 'other', 'container:delete'), { 'container:delete': false });
    assert.deepEqual(await rules(...demo, '--target-user', 'other', 'container:delete'), { 'container:delete': true });
  });

  test('prints a table', async () => {
    const { out } = await zun('policy', 'check', ...demo, 'container:start', 'host:get');
    assert.equal(out, 'container:start  yes\nhost:get         no');
  });

  test('heeds a policy file, its own rules too, and says what is wrong with one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'zun-policy-'));
    try {
      const file = join(folder, 'policy.yaml');
      await writeFile(file, 'host:get: role:member\nown: project_id:p\n');
      assert.deepEqual(await rules(...demo, '--policy-file', file, 'host:get', 'own'), { 'host:get': true, own: true });
      await writeFile(file, 'host:get: [');
      const broken = await zun('policy', 'check', '--policy-file', file);
      assert.equal(broken.code, 1);
      assert.match(broken.error, /^zun policy: .*policy\.yaml: /);
      assert.match((await zun('policy', 'check', '--policy-file', join(folder, 'none.yaml'))).error, /none\.yaml can't be read$/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('refuses what it does not understand with 2, in words, and says how it is called', async () => {
    for (const [args, words] of [
      [['check', 'no:such', 'rule'], /there is no rule no:such, rule\nusage: zun policy check/],
      [['check', '--role', 'x'], /Unknown option '--role'/],
      [['check', '--roles'], /--roles.* argument missing/],
      [['chek'], /there is no command 'chek'/],
      [[], /a command is missing/],
    ] as const) {
      const { code, error } = await zun('policy', ...args);
      assert.equal(code, 2);
      assert.match(error, words);
    }
  });
});

test('zun openapi prints the document', async () => {
  const { code, out } = await zun('openapi');
  assert.equal(code, 0);
  assert.equal(JSON.parse(out).openapi, '3.1.0');
});

test('zun version names the service and its API', async () => {
  assert.match((await zun('version')).out, /^zun \d+\.\d+\.\d+, API 1\.1 to 1\.40$/);
});

test('zun says what it can do, and refuses what it can’t with 2', async () => {
  assert.match((await zun('--help')).out, /usage: zun COMMAND/);
  for (const args of [[], ['nonsense'], ['toString'], ['version', 'x']]) {
    const { code, error } = await zun(...args);
    assert.equal(code, 2);
    assert.match(error, /^zun( version)?: /);
  }
});
