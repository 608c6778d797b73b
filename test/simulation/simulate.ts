import { parseArgs } from 'node:util';
import { runSimulation } from './simulation.ts';

/**
 * `npm run simulate -- --seed N` runs one seed and prints its trace; `--seeds 200` runs so many, from `--from` (1) on, and prints
 * for each that fails its number, what did not hold, and the last lines of its trace.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    nodes: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '150' },
    skew: { type: 'string', default: '15' },
    lines: { type: 'string', default: '40' },
  },
});
const world = { nodes: Number(values.nodes), seconds: Number(values.seconds), skewSeconds: Number(values.skew) };
const say = (line: string) => process.stdout.write(`${line}\n`);

async function one(seed: number): Promise<void> {
  const { violations, trace } = await runSimulation({ seed, ...world });
  for (const line of trace) say(line);
  say(violations.length === 0 ? `seed ${seed}: all is well` : `seed ${seed}: ${violations.join('\n')}`);
  process.exitCode = violations.length === 0 ? 0 : 1;
}

async function many(from: number, count: number): Promise<void> {
  const began = performance.now();
  let failed = 0;
  for (let seed = from; seed < from + count; seed += 1) {
    const { violations, trace } = await runSimulation({ seed, ...world });
    if (violations.length === 0) continue;
    failed += 1;
    say(`seed ${seed} fails:`);
    for (const line of trace.slice(-Number(values.lines))) say(`  ${line}`);
    say(`again with: npm run simulate -- --seed ${seed}`);
  }
  say(`${count} seeds from ${from} on, ${failed} failed, ${((performance.now() - began) / 1000).toFixed(1)} s`);
  process.exitCode = failed === 0 ? 0 : 1;
}

await (values.seed === undefined ? many(Number(values.from), Number(values.seeds)) : one(Number(values.seed)));
