import type { FileNode } from './memory-files.ts';
import type { ProcessContext } from './process-context.ts';
import { ProcessEnd } from './process-end.ts';
import { runScript } from './script.ts';

/** Answers the exit status; output goes through the process. */
export type Program = (process: ProcessContext, args: string[]) => number | Promise<number>;

/** What a workload of the memory runtime can run: the part of BusyBox that tests and demonstrations need. */
export const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ['sh', sh],
  ['echo', echo],
  ['printf', printf],
  ['cat', cat],
  ['sleep', sleep],
  ['pause', (process) => process.sleepForEver()],
  ['true', () => 0],
  [':', () => 0],
  ['false', () => 1],
  ['exit', (process, [code]) => end(Number(code ?? process.lastStatus))],
  ['exec', async (process, argv) => end(await process.call(argv))],
  ['trap', trap],
  ['test', test],
  ['[', test],
  ['pwd', (process) => say(process, `${process.workdir}\n`)],
  ['cd', cd],
  ['export', exportVariables],
  ['env', (process) => say(process, [...process.variables].map(([name, value]) => `${name}=${value}\n`).join(''))],
  ['stty', stty],
  ['hostname', (process) => cat(process, ['/etc/hostname'])],
  ['ls', ls],
  ['ps', (process) => say(process, 'PID   USER     TIME  COMMAND\n    1 root      0:00 ps\n')],
  ['mkdir', (process, args) => eachPath(process, args, (path) => process.files.makeDirectory(path))],
  ['touch', (process, args) => eachPath(process, args, (path) => process.files.write(path, process.files.read(path) ?? Buffer.alloc(0)))],
  ['rm', (process, args) => eachPath(process, args, (path) => process.files.remove(path))],
]);

function say(process: ProcessContext, text: string | Buffer): number {
  process.out('stdout', text);
  return 0;
}

function complain(process: ProcessContext, text: string, status = 1): number {
  process.out('stderr', `${text}\n`);
  return status;
}

function end(code: number): never {
  throw new ProcessEnd(code & 0xff);
}

/** `sh -c SCRIPT`, or a shell that runs what it reads, line by line and without a prompt. */
async function sh(process: ProcessContext, args: string[]): Promise<number> {
  const at = args.findIndex((arg) => /^-[a-z]*c$/.test(arg));
  if (at >= 0) return runScript(process, args[at + 1] ?? '');
  for (let line = await process.readLine(); line !== null; line = await process.readLine()) {
    if (line.trim() !== '') process.lastStatus = await runScript(process, line);
  }
  return process.lastStatus;
}

function echo(process: ProcessContext, args: string[]): number {
  const bare = args[0] === '-n';
  return say(process, `${(bare ? args.slice(1) : args).join(' ')}${bare ? '' : '\n'}`);
}

/** Octal and common escapes, `%s` and `%d`; enough to make any byte. */
function printf(process: ProcessContext, [format = '', ...args]: string[]): number {
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };
  const encoded = Buffer.from(format).toString('latin1');
  const text = encoded.replace(/\\([0-7]{1,3})|\\([ntr\\])|%([sd%])/g, (_all, octal?: string, letter?: string, directive?: string) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    if (letter !== undefined) return escapes[letter] ?? '';
    return directive === '%' ? '%' : Buffer.from(args.shift() ?? '').toString('latin1');
  });
  return say(process, Buffer.from(text, 'latin1'));
}

async function cat(process: ProcessContext, args: string[]): Promise<number> {
  if (args.length === 0) {
    for (let bytes = await process.read(); bytes !== null; bytes = await process.read()) say(process, bytes);
    return 0;
  }
  let status = 0;
  for (const arg of args) {
    const bytes = process.files.read(process.files.resolve(process.workdir, arg));
    if (bytes) say(process, bytes);
    else status = complain(process, `cat: can't open '${arg}': No such file or directory`);
  }
  return status;
}

async function sleep(process: ProcessContext, [duration = '']: string[]): Promise<number> {
  if (duration === 'infinity') return process.sleepForEver();
  const match = /^(\d+(?:\.\d+)?)([smhd]?)$/.exec(duration);
  if (!match) return complain(process, `sleep: invalid number '${duration}'`);
  const unit = { '': 1, s: 1, m: 60, h: 3600, d: 86_400 }[match[2] ?? ''] ?? 1;
  await process.sleep(Number(match[1]) * unit * 1000);
  return 0;
}

/** `trap SCRIPT SIGNAL...`; an empty script ignores the signal, which PID 1 does anyway. */
function trap(process: ProcessContext, [script = '', ...signals]: string[]): number {
  for (const signal of signals) process.traps.set(signal.replace(/^SIG/, ''), script);
  return 0;
}

function test(process: ProcessContext, args: string[]): number {
  const operands = args.at(-1) === ']' ? args.slice(0, -1) : args;
  if (operands[0] === '!') return 1 - test(process, operands.slice(1));
  const [first = '', second = '', third = ''] = operands;
  const node = (path: string): FileNode | null => process.files.stat(process.files.resolve(process.workdir, path));
  if (operands.length === 3) return Number(second === '=' || second === '-eq' ? first !== third : first === third);
  switch (first) {
    case '-f':
      return Number(node(second)?.kind !== 'file');
    case '-d':
      return Number(node(second)?.kind !== 'directory');
    case '-e':
      return Number(node(second) === null);
    case '-t':
      return Number(!process.terminal);
    case '-n':
      return Number(second === '');
    case '-z':
      return Number(second !== '');
    default:
      return Number(first === '');
  }
}

function cd(process: ProcessContext, [path = '/']: string[]): number {
  const resolved = process.files.resolve(process.workdir, path);
  if (process.files.stat(resolved)?.kind !== 'directory') return complain(process, `sh: cd: can't cd to ${path}`, 2);
  process.workdir = resolved;
  return 0;
}

function exportVariables(process: ProcessContext, args: string[]): number {
  for (const arg of args) {
    const at = arg.indexOf('=');
    if (at > 0) process.variables.set(arg.slice(0, at), arg.slice(at + 1));
  }
  return 0;
}

function ls(process: ProcessContext, args: string[]): number {
  const path = args.find((arg) => !arg.startsWith('-')) ?? '.';
  const resolved = process.files.resolve(process.workdir, path);
  const node = process.files.stat(resolved);
  if (!node) return complain(process, `ls: ${path}: No such file or directory`);
  const names = node.kind === 'file' ? [path] : process.files.list(resolved);
  return say(process, names.map((name) => `${name}\n`).join(''));
}

/** `size` says rows and columns; of the modes there are `raw`, `echo` and their opposites. */
function stty(process: ProcessContext, args: string[]): number {
  const { terminal } = process;
  if (!terminal) return complain(process, 'stty: standard input');
  for (const arg of args) {
    if (arg === 'size') say(process, `${terminal.size.height} ${terminal.size.width}\n`);
    else if (/^-?raw$/.test(arg)) terminal.isRaw = arg === 'raw';
    else if (/^-?echo$/.test(arg)) terminal.echoes = arg === 'echo';
    else return complain(process, `stty: invalid argument '${arg}'`);
  }
  return 0;
}

function eachPath(process: ProcessContext, args: string[], work: (path: string) => void): number {
  for (const arg of args.filter((arg) => !arg.startsWith('-'))) work(process.files.resolve(process.workdir, arg));
  return 0;
}
