import { hostname } from 'node:os';
import { readProgramEnvironment } from '../config/environment.ts';
import type { ProgramOptions } from './program-base.ts';
import type { RunningProgram } from './run-program.ts';

/** Programs that stay, each loaded only when it is asked for: they bring the engine, the server and the database along. */
const programs: Record<string, { name: string; load(): Promise<(options: ProgramOptions) => Promise<RunningProgram>> }> = {
  api: { name: 'zun-api', load: async () => (await import('./start-api.ts')).startApi },
  compute: { name: 'zun-compute', load: async () => (await import('./start-compute.ts')).startCompute },
  wsproxy: { name: 'zun-wsproxy', load: async () => (await import('./start-wsproxy.ts')).startWsproxy },
  agent: { name: 'zun-compute-agent', load: async () => (await import('./start-compute-agent.ts')).startComputeAgent },
};

const [command = '', ...args] = process.argv.slice(2);
const program = Object.hasOwn(programs, command) ? programs[command] : undefined;

if ((program || command === 'standalone') && args.length > 0) {
  const where = program ? 'docs/CONFIGURATION.md' : 'docs/GETTING-STARTED.md';
  process.stderr.write(`zun ${command}: it takes no arguments, not '${args.join(' ')}'; settings are in ${where}\n`);
  process.exitCode = 2;
} else if (command === 'node') {
  // Run for each pause and stop of a container: 0.2 s of a processor, 0.8 s with what the other commands load.
  process.exitCode = await (await import('./node-command.ts')).nodeCommand(args, process);
} else if (command === 'standalone') {
  await import('./standalone.ts');
} else if (program) {
  const [start, { runProgram }] = await Promise.all([program.load(), import('./run-program.ts')]);
  process.exitCode = await runProgram({
    name: program.name,
    start: (progress) => start({ environment: readProgramEnvironment(), hostname: hostname(), progress }),
    farewell: 'stopped',
  });
} else {
  const { zunCommand } = await import('./zun-command.ts');
  process.exitCode = await zunCommand(process.argv.slice(2), {
    out: (line) => process.stdout.write(`${line}\n`),
    error: (line) => process.stderr.write(`${line}\n`),
  });
}
