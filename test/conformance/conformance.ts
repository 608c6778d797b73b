import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { placesOf, readAcceptedDifferences, recordName } from './accepted-differences.ts';
import { conformanceDocument } from './conformance-document.ts';
import { judgeOutcomes, type Verdict } from './judge-outcomes.ts';
import type { Outcome } from './outcome.ts';
import { contractFolder, runConformance } from './run-conformance.ts';

const usage = `npm run conformance -- [--data FOLDER] [--write] [--no-strict] [--list]
  Replays the original's exchanges, probes and vectors against this service and prints each difference that contract/differences.yaml
  does not list. Exits with 1 for such a difference, and for a listed one that is gone.
  --data FOLDER  replay FOLDER/exchanges.jsonl, FOLDER/probes.jsonl and FOLDER/vectors/ (any of them) instead of contract/
  --write        write docs/CONFORMANCE.md from this run
  --no-strict    exit with 0 whatever differs
  --list         print unlisted differences in the form of the list`;

const documentFile = new URL('../../docs/CONFORMANCE.md', import.meta.url);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      write: { type: 'boolean', default: false },
      'no-strict': { type: 'boolean', default: false },
      list: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const folder = values.data === undefined ? contractFolder : resolve(values.data);
  if (!existsSync(folder)) {
    console.error(`conformance: there is no folder ${folder}`);
    return 2;
  }
  const isWhole = values.data === undefined;
  const accepted = readAcceptedDifferences(join(contractFolder, 'differences.yaml'));
  const verdict = judgeOutcomes(await runConformance(folder), accepted, isWhole);
  for (const outcome of verdict.unlisted) console.log(values.list ? listing(outcome) : description(outcome));
  for (const name of verdict.stale) console.log(`${name} is in contract/differences.yaml and no longer differs`);
  const isOutdated = isWhole && !documentIsCurrent(conformanceDocument(verdict, accepted), values.write);
  if (isOutdated) console.log('docs/CONFORMANCE.md is not of this run: npm run conformance -- --write');
  printSummary(verdict);
  const failed = verdict.unlisted.length > 0 || verdict.stale.length > 0 || isOutdated;
  return failed && !values['no-strict'] ? 1 : 0;
}

function documentIsCurrent(text: string, write: boolean): boolean {
  if (write) writeFileSync(documentFile, text);
  return existsSync(documentFile) && readFileSync(documentFile, 'utf8') === text;
}

function description(outcome: Outcome): string {
  const text = (value: unknown) => JSON.stringify(value)?.slice(0, 500) ?? 'nothing';
  const places = outcome.differences.map(
    ({ place, expected, actual }) => `  ${place}: ${text(expected)} is recorded, ${text(actual)} is answered`,
  );
  return [`${recordName(outcome)} ${outcome.title}`, ...places].join('\n');
}

function listing(outcome: Outcome): string {
  const status = outcome.status === null ? '' : `status: ${outcome.status}, `;
  return `    ${recordName(outcome)}: { ${status}at: [${placesOf(outcome).join(', ')}] }`;
}

function printSummary({ counts, listed, unlisted, stale }: Verdict): void {
  const sum = [...listed.values()].reduce((total, outcomes) => total + outcomes.length, 0);
  console.log(`differences: ${sum} listed, ${unlisted.length} not listed, ${stale.length} listed and gone`);
  console.log(`exchanges ${counts.exchange.met}/${counts.exchange.total}`);
  console.log(`probes ${counts.probe.met}/${counts.probe.total}`);
  console.log(`vectors ${counts.vector.met}/${counts.vector.total}`);
}

process.exitCode = await main();
