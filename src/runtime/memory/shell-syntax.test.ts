import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../telemetry/clock.ts';
import { MemoryFiles } from './memory-files.ts';
import { MemoryProcess } from './memory-process.ts';
import { ProcessStreams } from './process-streams.ts';
import { parseShell, ShellSyntaxError } from './shell-syntax.ts';

async function run(script: string): Promise<{ output: string; code: number }> {
  let output = '';
  const process = new MemoryProcess({
    clock: systemClock,
    files: new MemoryFiles(() => 0),
    environment: { NAME: 'zun' },
    workdir: '/',
    streams: new ProcessStreams({
      tty: false,
      interactive: false,
      record: (stream, bytes) => {
        output += `${stream === 'stderr' ? '!' : ''}${bytes}`;
      },
    }),
  });
  const code = await process.run(['sh', '-c', script]);
  return { output, code };
}

const scripts: [script: string, output: string, code: number][] = [
  ['echo a; echo b >&2', 'a\n!b\n', 0],
  [`echo "$NAME \${NAME}s '$NO'" '$NAME'`, "zun zuns '' $NAME\n", 0],
  ['true && echo yes || echo no', 'yes\n', 0],
  ['false && echo yes || echo no', 'no\n', 0],
  ['false; echo $?', '1\n', 0],
  ['false', '', 1],
  ['exit 300', '', 44],
  ['nothing', '!sh: nothing: not found\n', 127],
  ['for i in 1 2; do echo $i; done', '1\n2\n', 0],
  ['if [ -f /x ]; then echo there; else echo absent; fi', 'absent\n', 0],
  ['echo a > /f; echo b >> /f; cat /f; echo c > /f; cat /f', 'a\nb\nc\n', 0],
  ['echo x > /no/such', "!sh: can't create /no/such: nonexistent directory\n", 1],
  ['ls /gone 2>/dev/null; echo $?', '1\n', 0],
  ['ls /gone > /f 2>&1; cat /f', 'ls: /gone: No such file or directory\n', 0],
  ['A=1; while [ "$A" = 1 ]; do echo once; A=2; done', 'once\n', 0],
  ["printf '%s-%d\\101\\n' x 7", 'x-7A\n', 0],
  ['cd /none', "!sh: cd: can't cd to /none\n", 2],
  ['mkdir /d; cd /d; pwd # where we are', '/d\n', 0],
];

for (const [script, output, code] of scripts) {
  test(`the interpreter runs: ${script}`, async () => {
    assert.deepEqual(await run(script), { output, code });
  });
}

for (const script of [
  'echo a | cat',
  'echo $(pwd)',
  'sleep 1 &',
  "echo 'open",
  'while true; do echo',
  '(echo a)',
  'for in',
  'if true; fi',
]) {
  test(`the interpreter refuses, rather than run wrongly: ${script}`, async () => {
    assert.throws(() => parseShell(script), ShellSyntaxError);
    assert.equal((await run(script)).code, 2);
  });
}
