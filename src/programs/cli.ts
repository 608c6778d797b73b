import { zunCommand } from './zun-command.ts';

const [command, ...args] = process.argv.slice(2);

if (command === 'standalone' && args.length === 0) {
  // A program of its own, loaded for its effect and only when it is asked for: it brings the engine, the server and the database along.
  await import('./standalone.ts');
} else if (command === 'standalone') {
  process.stderr.write(`zun standalone: it takes no arguments, not '${args.join(' ')}'; settings are in docs/GETTING-STARTED.md\n`);
  process.exitCode = 2;
} else {
  process.exitCode = await zunCommand(process.argv.slice(2), {
    out: (line) => process.stdout.write(`${line}\n`),
    error: (line) => process.stderr.write(`${line}\n`),
  });
}
