import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PolicyFile } from './policy-file.ts';

const member = { userId: 'u', projectId: 'p', roles: ['member'], isAdmin: false };

async function withFolder(body: (path: string, problems: string[], file: PolicyFile) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'policy-file-'));
  const path = join(folder, 'policy.yaml');
  const problems: string[] = [];
  try {
    await body(path, problems, new PolicyFile(path, { act: 'role:admin' }, (message) => problems.push(message)));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('the policy file', () => {
  test('may be missing, and is read when it appears, changes and goes', () =>
    withFolder(async (path, problems, file) => {
      const allowed = async () => (await file.current()).allows(member, 'act');
      assert.equal(await allowed(), false);
      await writeFile(path, '# who acts\n"act": "role:member"\n');
      assert.equal(await allowed(), true);
      assert.equal(await file.current(), await file.current());
      await writeFile(path, '{"act": [["role:admin", "role:member"]]}');
      assert.equal(await allowed(), false);
      await writeFile(path, 'act: ""');
      assert.equal(await allowed(), true);
      await rm(path);
      assert.equal(await allowed(), false);
      assert.deepEqual(problems, []);
    }));

  test('keeps the rules in force when a change makes it unusable, and says so once', () =>
    withFolder(async (path, problems, file) => {
      await writeFile(path, 'act: role:member');
      await file.current();
      for (const [index, broken] of ['act: [', 'act:', 'act: 12', '- act', 'act: rule:act'].entries()) {
        await writeFile(path, broken);
        assert.ok((await file.current()).allows(member, 'act') && (await file.current()).allows(member, 'act'));
        assert.equal(problems.length, index + 1, broken);
        assert.ok(problems.at(-1)?.startsWith(path));
      }
    }));

  test('is refused at start when it is unusable', () =>
    withFolder(async (path, _problems, file) => {
      await writeFile(path, 'act: rule:act');
      await assert.rejects(file.current(), /policy\.yaml: policies lead in a circle: act -> act/);
    }));
});
