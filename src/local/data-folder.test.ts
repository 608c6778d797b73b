import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { DataFolderError, openDataFolder } from './data-folder.ts';

async function folder(t: TestContext): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'zun-data-'));
  t.after(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Another process that holds the folder until it is killed. */
async function otherOwner(t: TestContext, data: string): Promise<ChildProcess> {
  const module = JSON.stringify(import.meta.resolve('./data-folder.ts'));
  const program = `const { openDataFolder } = await import(${module}); await openDataFolder(${JSON.stringify(data)}); console.log('held'); setInterval(() => {}, 1e6);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a missing folder is made with all above it, for the owner alone', async (t) => {
  const data = path.join(await folder(t), 'a', 'b');
  const opened = await openDataFolder(data);
  assert.equal(opened.path, data);
  assert.equal((await stat(data)).mode & 0o777, 0o700);
  await opened.release();
  assert.deepEqual(await readdir(data), ['lock']);
});

test('an own folder is closed to others again, and can be opened after it was released', async (t) => {
  const data = await folder(t);
  await (await openDataFolder(data)).release();
  await chmod(data, 0o755);
  await (await openDataFolder(data)).release();
  assert.equal((await stat(data)).mode & 0o777, 0o700);
});

test('a second opening in the same process is refused with the process id', async (t) => {
  const data = await folder(t);
  const opened = await openDataFolder(data);
  await assert.rejects(openDataFolder(data), { name: 'DataFolderError', message: new RegExp(`in use by process ${process.pid};`) });
  await opened.release();
});

test('a folder held by another process is refused with its id, and free as soon as that one is killed', async (t) => {
  const data = await folder(t);
  const owner = await otherOwner(t, data);
  await assert.rejects(openDataFolder(data), { name: 'DataFolderError', message: new RegExp(`in use by process ${owner.pid};`) });
  owner.kill('SIGKILL');
  await once(owner, 'exit');
  await (await openDataFolder(data)).release();
});

test('a folder is shared by those who say so, and by nobody who wants it alone', async (t) => {
  const data = await folder(t);
  const shared = [await openDataFolder(data, 'shared'), await openDataFolder(data, 'shared')];
  await assert.rejects(openDataFolder(data), { name: 'DataFolderError', message: /in use by other programs;/ });
  for (const one of shared) await one.release();
  const alone = await openDataFolder(data);
  await assert.rejects(openDataFolder(data, 'shared'), {
    name: 'DataFolderError',
    message: new RegExp(`in use by process ${process.pid};`),
  });
  await alone.release();
});

test('a folder with foreign files is not taken over and keeps its mode', async (t) => {
  const data = await folder(t);
  await writeFile(path.join(data, 'letter.txt'), '');
  await chmod(data, 0o755);
  await assert.rejects(openDataFolder(data), /holds other files/);
  assert.equal((await stat(data)).mode & 0o777, 0o755);
});

test('a folder that holds only the configuration, the rules and the secrets that its operator gave is new', async (t) => {
  const data = await folder(t);
  for (const name of ['zun.yaml', 'policy.yaml', 'identity.json']) await writeFile(path.join(data, name), '');
  await (await openDataFolder(data)).release();
});

test('a file in place of the folder, or above it, is told in words', async (t) => {
  const file = path.join(await folder(t), 'file');
  await writeFile(file, '');
  await assert.rejects(openDataFolder(file), /there is a file of that name/);
  await assert.rejects(
    openDataFolder(path.join(file, 'below')),
    (error) => error instanceof DataFolderError && /a part of that path is a file/.test(error.message),
  );
});
