import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Opens a data folder on a file system of its own, mounted (with these options) for that process only, and returns the refusal. */
async function refusalOn(t: TestContext, options: string): Promise<string> {
  const mountPoint = await mkdtemp(path.join(tmpdir(), 'zun-mount-'));
  t.after(() => rm(mountPoint, { recursive: true }));
  const module = JSON.stringify(import.meta.resolve('../../src/local/data-folder.ts'));
  const program = `const { openDataFolder } = await import(${module}); await openDataFolder(process.argv[1]).then(() => console.log('opened'), (error) => console.log(error.name, error.message));`;
  const shell =
    'mount -t tmpfs -o "$2" tmpfs "$1" && exec "$3" --disable-warning=ExperimentalWarning --input-type=module --eval "$4" "$1/data"';
  const words = ['--mount', 'sh', '-c', shell, 'sh', mountPoint, options, process.execPath, program];
  return (await run('unshare', words)).stdout;
}

test('a full disk is told at start', async (t) => {
  assert.match(await refusalOn(t, 'size=512k'), /^DataFolderError the data folder .* cannot be used: its disk is full/);
});

test('a read-only file system is told at start', async (t) => {
  assert.match(await refusalOn(t, 'ro'), /^DataFolderError the data folder .* cannot be used: its file system is read-only/);
});
