import { inspect, parseArgs } from 'node:util';
import { createToRunning } from './create-to-running.ts';
import { scale } from './scale.ts';

const usage = `npm run bench:kubernetes [-- OPTION…]
  from a create to Running on a real node, beside kubectl run:
    --pairs 9          how often
    --programs         zun-api, zun-compute and an agent on MariaDB in place of standalone
  --scale            what many containers cost, on nodes that KWOK plays:
    --containers 10000 --nodes 500 --seconds 60 --changes 20 (a second)`;

/** Figures of Zun on Kubernetes. It needs root, and the test cluster's programs, which are built the first time: ten minutes or more. */
async function main(): Promise<void> {
  const count = { type: 'string' as const };
  const flag = { type: 'boolean' as const };
  const options = { scale: flag, programs: flag, pairs: count, containers: count, nodes: count, seconds: count, changes: count };
  const { values } = parseArgs({ options });
  const number = (text: string | undefined, usual: number) => (text === undefined ? usual : Number(text));
  const say = (line: string) => process.stdout.write(`${line}\n`);
  if (values.scale) {
    const [containers, nodes] = [number(values.containers, 10_000), number(values.nodes, 500)];
    await scale({ containers, nodes, seconds: number(values.seconds, 60), changesPerSecond: number(values.changes, 20) }, say);
  } else await createToRunning({ pairs: number(values.pairs, 9), asPrograms: values.programs ?? false }, say);
}

await main().catch((error) => {
  process.stderr.write(`${error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? `${error.message}\n${usage}` : inspect(error)}\n`);
  process.exitCode = 1;
});
