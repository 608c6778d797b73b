import type { ProcessContext, Sink, Sinks } from './process-context.ts';
import { parseShell, type Redirect, type ShellCommand, type ShellList, ShellSyntaxError, type Word } from './shell-syntax.ts';

/** Runs a shell script in the process and answers the last command's status. 2 and a message on stderr for what does not parse. */
export async function runScript(process: ProcessContext, source: string): Promise<number> {
  let list: ShellList;
  try {
    list = parseShell(source);
  } catch (error) {
    if (!(error instanceof ShellSyntaxError)) throw error;
    process.out('stderr', `sh: ${error.message}\n`);
    return 2;
  }
  return runList(process, list);
}

async function runList(process: ProcessContext, list: ShellList): Promise<number> {
  let status = 0;
  for (const { operator, command } of list) {
    if ((operator === '&&' && status !== 0) || (operator === '||' && status === 0)) continue;
    status = await runCommand(process, command);
    process.lastStatus = status;
    await process.checkpoint();
  }
  return status;
}

async function runCommand(process: ProcessContext, command: ShellCommand): Promise<number> {
  switch (command.kind) {
    case 'simple':
      return runSimple(process, command.words, command.redirects);
    case 'while': {
      let status = 0;
      while ((await runList(process, command.condition)) === 0) {
        status = await runList(process, command.body);
        // A loop without a sleep would otherwise never let the machine do anything else.
        await process.sleep(1);
      }
      return status;
    }
    case 'for': {
      let status = 0;
      for (const word of command.words.map((word) => expand(process, word))) {
        process.variables.set(command.variable, word);
        status = await runList(process, command.body);
      }
      return status;
    }
    case 'if':
      return runList(process, (await runList(process, command.condition)) === 0 ? command.then : command.otherwise);
  }
}

async function runSimple(process: ProcessContext, words: Word[], redirects: Redirect[]): Promise<number> {
  const argv = words.map((word) => expand(process, word));
  const assignment = /^([A-Za-z_]\w*)=(.*)$/s.exec(argv[0] ?? '');
  if (assignment && argv.length === 1) {
    process.variables.set(assignment[1] ?? '', assignment[2] ?? '');
    return 0;
  }
  const targets: Sinks = {};
  for (const redirect of redirects) {
    const target = sink(process, redirect, targets);
    if (typeof target === 'string') {
      process.out('stderr', `sh: ${target}\n`);
      return 1;
    }
    targets[redirect.from] = target;
  }
  return process.redirected(targets, async () => (argv.length === 0 ? 0 : process.call(argv)));
}

/** Where redirected bytes go, or a sentence when they cannot. */
function sink(process: ProcessContext, { to }: Redirect, earlier: Sinks): Sink | string {
  if ('stream' in to) return earlier[to.stream] ?? process.sink(to.stream);
  const path = process.files.resolve(process.workdir, expand(process, to.file));
  if (path === '/dev/null') return () => {};
  if (process.files.stat(path)?.kind === 'directory') return `can't create ${path}: Is a directory`;
  if (process.files.stat(process.files.parent(path))?.kind !== 'directory') return `can't create ${path}: nonexistent directory`;
  if (!to.append || !process.files.stat(path)) process.files.write(path, Buffer.alloc(0));
  return (bytes) => process.files.write(path, Buffer.concat([process.files.read(path) ?? Buffer.alloc(0), bytes]));
}

function expand(process: ProcessContext, word: Word): string {
  return word.map((part) => (part.kind === 'text' ? part.text : variableOf(process, part.name))).join('');
}

function variableOf(process: ProcessContext, name: string): string {
  return name === '?' ? String(process.lastStatus) : (process.variables.get(name) ?? '');
}
