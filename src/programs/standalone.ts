import { hostname } from 'node:os';
import { readEnvironment } from '../config/environment.ts';
import { type RunningStandalone, startStandalone } from './start-standalone.ts';

/** `npm start`: everything in one process, in the foreground until Ctrl-C or SIGTERM. */
async function main(): Promise<void> {
  const say = (line: string) => process.stderr.write(`zun: ${line}\n`);
  let running: RunningStandalone;
  try {
    running = await startStandalone({ environment: readEnvironment(), hostname: hostname(), progress: say });
  } catch (error) {
    for (const line of (error instanceof Error ? error.message : String(error)).split('\n')) say(line);
    process.exitCode = 1;
    return;
  }
  process.stdout.write(running.welcome);
  say(`${await firstSignal(say)}: finishing or handing back what runs`);
  await running.stop();
  say('stopped; containers keep running');
}

/** So long after the first signal another one counts as the same: a terminal's Ctrl-C reaches npm and this process. */
const sameSignalMilliseconds = 1000;

/** The first signal asks to stop; one that comes while stopping gives up at once. */
function firstSignal(say: (line: string) => void): Promise<string> {
  return new Promise((resolve) => {
    let first: number | null = null;
    const heed = (signal: string) => {
      first ??= performance.now();
      resolve(signal);
      if (performance.now() - first < sameSignalMilliseconds) return;
      say(`${signal} again: not waiting any longer; the next start goes on with what runs`);
      process.exit(130);
    };
    process.on('SIGINT', heed);
    process.on('SIGTERM', heed);
  });
}

await main();
