import { createToOutput } from './create-to-running.ts';
import { figuresOfProcess, requestRates } from './request-rates.ts';

/**
 * `npm run bench`: what an operator wants to know before a change and after it. Timings are of this machine at this moment;
 * ratios are of pairs measured in turn, so they hold when the machine's speed drifts.
 */
async function main(): Promise<void> {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  await figuresOfProcess(say);
  await requestRates(say);
  await createToOutput(say);
}

await main();
