/** A program that was started. */
export interface RunningProgram {
  /** For the operator; its last line begins with `ready`. */
  welcome: string;
  /** Finishes or hands back what is under way, soon. */
  stop(): Promise<void>;
}

/** How a program is run in the foreground. */
export interface RunProgramOptions {
  /** What its lines on stderr begin with. */
  name: string;
  /** Throws in words for the operator. */
  start(say: (line: string) => void): Promise<RunningProgram>;
  /** The last words, when all is ended well. */
  farewell: string;
}

/** Runs a program until Ctrl-C or SIGTERM. Answers the exit code: 1 when it could not be started. */
export async function runProgram({ name, start, farewell }: RunProgramOptions): Promise<number> {
  const say = (line: string) => process.stderr.write(`${name}: ${line}\n`);
  let running: RunningProgram;
  try {
    running = await start(say);
  } catch (error) {
    for (const line of (error instanceof Error ? error.message : String(error)).split('\n')) say(line);
    return 1;
  }
  process.stdout.write(running.welcome);
  say(`${await firstSignal(say)}: finishing or handing back what runs`);
  await running.stop();
  say(farewell);
  return 0;
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
