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
  const stop = async (signal: string) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeAllListeners(name);
    say(`${signal}: finishing or handing back what runs`);
    await running.stop();
    say('stopped; containers keep running');
  };
  const stopped = new Promise<string>((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  await stop(await stopped);
}

await main();
