import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type TestContext, test } from 'node:test';

const project = path.join(import.meta.dirname, '../..');

/** A program in the place of `standalone`, which says when it is ready and which signal ended it. */
const program = `
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => { console.log('ended by', signal); process.exitCode = 7; clearInterval(life); });
const life: NodeJS.Timeout = setInterval(() => {}, 1e6);
console.log('ready', process.version);
`;

async function projectWith(t: TestContext, standalone: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'zun-scripts-'));
  t.after(() => rm(folder, { recursive: true }));
  for (const name of ['package.json', 'package-lock.json', 'scripts'])
    await cp(path.join(project, name), path.join(folder, name), { recursive: true });
  await symlink(path.join(project, 'node_modules'), path.join(folder, 'node_modules'));
  await mkdir(path.join(folder, 'src/programs'), { recursive: true });
  await writeFile(path.join(folder, 'src/programs/standalone.ts'), standalone);
  return folder;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`npm start runs the program with Node 24 or newer and hands ${signal} and the exit code on`, async (t) => {
    const cwd = await projectWith(t, program);
    const started = performance.now();
    const npm = spawn('npm', ['start'], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => npm.kill('SIGKILL'));
    let printed = '';
    npm.stdout.setEncoding('utf8');
    for await (const chunk of npm.stdout) {
      printed += chunk;
      const ready = /^ready v(\d+)/m.exec(chunk);
      if (!ready) continue;
      assert.ok(Number(ready[1]) >= 24, ready[0]);
      assert.ok(performance.now() - started < 2000, 'a start takes less than two seconds');
      npm.kill(signal);
    }
    const [code] = npm.exitCode === null ? await once(npm, 'exit') : [npm.exitCode];
    assert.match(printed, new RegExp(`^ended by ${signal}$`, 'm'));
    assert.equal(code, 7);
  });
