import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from './outcome.ts';
import { type Probe, type ProbeSeed, type RecordedExchange, readRecords } from './record.ts';
import { replayExchanges } from './replay-exchanges.ts';
import { replayProbes } from './replay-probes.ts';
import { replayVectors } from './replay-vectors.ts';

/** The folder of the records that the repository holds. */
export const contractFolder = new URL('../../contract/', import.meta.url).pathname;

/** Replays what a folder holds of `exchanges.jsonl`, `probes.jsonl` (with its own seed, or the contract's) and `vectors/`. */
export async function runConformance(folder: string): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const exchanges = join(folder, 'exchanges.jsonl');
  if (existsSync(exchanges)) outcomes.push(...(await replayExchanges(readRecords<RecordedExchange>(exchanges))));
  const probes = join(folder, 'probes.jsonl');
  if (existsSync(probes)) outcomes.push(...(await replayProbes(seedOf(folder), readRecords<Probe>(probes))));
  const vectors = join(folder, 'vectors');
  if (existsSync(vectors)) outcomes.push(...(await replayVectors(vectors)));
  return outcomes;
}

function seedOf(folder: string): ProbeSeed {
  const own = join(folder, 'probes-seed.json');
  return JSON.parse(readFileSync(existsSync(own) ? own : join(contractFolder, 'probes-seed.json'), 'utf8'));
}
