import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

/** Opens the file that it is told of, when it is told, and says what came of it. */
const opener = `
  const { sqliteDialect } = await import(${JSON.stringify(new URL('./sqlite-driver.ts', import.meta.url).href)});
  process.once('message', async (path) => {
    const outcome = await sqliteDialect(path).createDriver().init().then(() => 'open', (error) => error.message);
    process.send(outcome, () => process.exit());
  });
  process.send('ready');
`;

test('programs that open a new file at once all have it', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'zun-sqlite-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const program = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', opener];
  for (let round = 0; round < 3; round += 1) {
    const running = Array.from({ length: 4 }, () => spawn(process.execPath, program, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
    await Promise.all(running.map((each) => once(each, 'message')));
    const path = join(folder, `${round}.sqlite`);
    const outcomes = running.map(async (each) => {
      const outcome = once(each, 'message');
      each.send(path);
      return (await outcome)[0];
    });
    assert.deepEqual(await Promise.all(outcomes), ['open', 'open', 'open', 'open']);
  }
});
