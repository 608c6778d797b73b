import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { runSimulation, type SimulationOptions, type SimulationResult } from './simulation.ts';

/**
 * `npm run simulate -- --seed N` runs one seed and prints its trace; `--seeds 200` runs so many, from `--from` (1) on, on all cores, and
 * prints for each that fails its number, what did not hold, and the last lines of its trace.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      seeds: { type: 'string', default: '200' },
      from: { type: 'string', default: '1' },
      apis: { type: 'string', default: '3' },
      workers: { type: 'string', default: '4' },
      nodes: { type: 'string' },
      seconds: { type: 'string', default: '150' },
      skew: { type: 'string', default: '15' },
      lines: { type: 'string', default: '40' },
    },
  });
  const { apis, workers, nodes, seconds, skew } = values;
  const world = {
    apis: Number(apis),
    workers: Number(workers),
    ...(nodes === undefined ? {} : { nodes: Number(nodes) }),
    seconds: Number(seconds),
    skewSeconds: Number(skew),
  };
  if (values.seed === undefined) await many(Number(values.from), Number(values.seeds), world, Number(values.lines));
  else await one({ seed: Number(values.seed), ...world });
}

const say = (line: string) => process.stdout.write(`${line}\n`);

async function one(options: SimulationOptions): Promise<void> {
  const { seed, violations, trace } = await runSimulation(options);
  for (const line of trace) say(line);
  say(violations.length === 0 ? `seed ${seed}: all is well` : `seed ${seed}: ${violations.join('\n')}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

/** What waits in a world that has ended keeps some of its memory; a thread gives all of it back. */
const runsOfThread = 25;
/** A run takes half a second; milliseconds. */
const longestRun = 120_000;

async function many(from: number, count: number, world: Omit<SimulationOptions, 'seed'>, lines: number): Promise<void> {
  const began = performance.now();
  let [next, failed] = [from, 0];
  const hand = async () => {
    let thread = new Worker(new URL(import.meta.url));
    for (let runs = 1; next < from + count; runs += 1) {
      if (runs % runsOfThread === 0) {
        await thread.terminate();
        thread = new Worker(new URL(import.meta.url));
      }
      const options = { seed: next++, ...world };
      const { seed, violations, trace } = await answered(thread, options);
      if (violations.length === 0) continue;
      failed += 1;
      say(`seed ${seed} fails:`);
      for (const line of trace.slice(-lines)) say(`  ${line}`);
      say(`${violations.join('\n')}\nagain with: npm run simulate -- --seed ${seed}`);
    }
    await thread.terminate();
  };
  await Promise.all(Array.from({ length: availableParallelism() }, hand));
  say(`${count} seeds from ${from} on, ${failed} failed, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  process.exitCode = failed === 0 ? 0 : 1;
}

function answered(thread: Worker, options: SimulationOptions): Promise<SimulationResult> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error) => reject(new Error(`seed ${options.seed}: ${error.message}`, { cause: error }));
    const ended = () => failed(new Error('its thread has ended'));
    const late = setTimeout(() => failed(new Error('no end: somebody waits for what will never be')), longestRun);
    thread.once('error', failed);
    thread.once('exit', ended);
    thread.once('message', (result: SimulationResult) => {
      clearTimeout(late);
      thread.off('error', failed);
      thread.off('exit', ended);
      resolve(result);
    });
    thread.postMessage(options);
  });
}

if (isMainThread) await main();
else parentPort?.on('message', async (options: SimulationOptions) => parentPort?.postMessage(await runSimulation(options)));
