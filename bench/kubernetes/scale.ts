import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { DemoClient } from '../../src/programs/demo-client.ts';
import { until } from '../../test/system/engine/until.ts';
import { machineLine } from './machine-line.ts';
import { MeasuredProgram } from './measured-program.ts';
import { metricSum } from './metric-sum.ts';
import { percentile } from './percentile.ts';
import { openScaleSite, type ScaleSite } from './scale-site.ts';

export interface ScaleOptions {
  containers: number;
  nodes: number;
  /** Of each measurement. */
  seconds: number;
  changesPerSecond: number;
}

type Say = (line: string) => void;

/** What zun-api and zun-compute cost where many containers run and few change: in memory, time, calls and statements. */
export async function scale(options: ScaleOptions, say: Say): Promise<void> {
  say(`scale: ${machineLine()}`);
  const site = await openScaleSite(options.containers, options.nodes, say);
  const programs: MeasuredProgram[] = [];
  try {
    const api = await MeasuredProgram.start('zun-api', site.environment);
    programs.push(api);
    say(`zun-api: ready after ${seconds(api.readyAfter)}`);
    const compute = await coldStart(site, options, say);
    programs.push(compute);
    await settled(compute);
    await atRest(programs, options, say);
    await underChanges(site, programs, compute, options, say);
    await latencies(site, say);
    for (const program of programs) say(`${program.name}: at the end ${(await program.figures()).residentMiB} MiB`);
    say(`scale: ${machineLine()}`);
  } finally {
    for (const program of programs) await program.stop();
    await site.close();
  }
}

/** A hundredth of the rows are wrong; the time until all are right, from nothing. */
async function coldStart(site: ScaleSite, { containers }: ScaleOptions, say: Say): Promise<MeasuredProgram> {
  const { database, world } = site;
  const wrong = world.population.members.slice(0, Math.ceil(containers / 100)).map(({ uuid }) => uuid);
  await database.queries.updateTable('container').set({ status: 'Stopped' }).where('uuid', 'in', wrong).execute();
  const began = performance.now();
  const compute = await MeasuredProgram.start('zun-compute', site.environment);
  const left = () => database.queries.selectFrom('container').select('uuid').where('status', '!=', 'Running').limit(1).execute();
  await until('all rows are right', async () => ((await left()).length === 0 ? true : null), 600_000);
  const metrics = await compute.metrics();
  const listing = metricSum(new Map(), metrics, /^zun_sync_listing_duration_seconds_sum/);
  const calls = metricSum(new Map(), metrics, /^zun_outbound_call_duration_seconds_count\{service="kubernetes"/);
  say(
    `zun-compute: ready after ${seconds(compute.readyAfter)}; ${wrong.length} wrong rows right after ${seconds(performance.now() - began)}, ` +
      `${listing.toFixed(1)} s of it one listing; ${calls} calls to the API server`,
  );
  return compute;
}

/** Until nothing is compared any more. */
async function settled(compute: MeasuredProgram): Promise<void> {
  let last = Number.NaN;
  await until(
    'it comes to rest',
    async () => {
      const now = metricSum(new Map(), await compute.metrics(), /^zun_sync_reconciles_total/);
      const same = now === last;
      last = now;
      await pause(3_000);
      return same ? true : null;
    },
    600_000,
  );
}

async function atRest(programs: MeasuredProgram[], options: ScaleOptions, say: Say): Promise<void> {
  const used = await usedDuring(programs, () => pause(options.seconds * 1000));
  for (const [index, { name }] of programs.entries()) say(`${name} at rest: ${used[index]}`);
}

async function underChanges(site: ScaleSite, programs: MeasuredProgram[], compute: MeasuredProgram, options: ScaleOptions, say: Say) {
  const before = await compute.metrics();
  const lags: number[] = [];
  let changes = 0;
  const used = await usedDuring(programs, async () => {
    changes = await play(site, options, lags);
  });
  const after = await compute.metrics();
  const each = (series: RegExp) => (metricSum(before, after, series) / changes).toFixed(2);
  for (const [index, { name }] of programs.entries())
    say(`${name} at ${(changes / options.seconds).toFixed(1)} changes a second: ${used[index]}`);
  say(
    `a change costs zun-compute ${each(/^zun_sync_reconciles_total/)} comparisons, ` +
      `${each(/^zun_outbound_call_duration_seconds_count\{service="kubernetes"/)} calls to the API server, ` +
      `${each(/^zun_database_statement_duration_seconds_count\{statement="select"/)} selects, ` +
      `${each(/^zun_database_statement_duration_seconds_count\{statement="(insert|update|delete)"/)} writes (its polls and its lease among them); ` +
      `its row says so after ${ms(percentile(lags, 0.5))} (median), ${ms(percentile(lags, 0.99))} (p99)`,
  );
}

/** Restarts containers at random at that rate; of each tenth change, how long its row takes. Answers how many there were. */
async function play({ world, database }: ScaleSite, { seconds: time, changesPerSecond }: ScaleOptions, lags: number[]): Promise<number> {
  const end = performance.now() + time * 1000;
  const changing: Promise<void>[] = [];
  for (let change = 0, next = performance.now(); next < end; change += 1, next += 1000 / changesPerSecond) {
    await pause(Math.max(0, next - performance.now()));
    const member = world.population.members[randomInt(world.population.members.length)];
    if (!member) continue;
    const startedAt = async () => {
      const query = database.queries.selectFrom('container').select('started_at').where('uuid', '=', member.uuid);
      return (await query.executeTakeFirst())?.started_at;
    };
    const one = async () => {
      const before = change % 10 === 0 ? await startedAt() : undefined;
      await world.restart(member);
      const began = performance.now();
      if (before === undefined) return;
      await until('the row follows', async () => ((await startedAt()) === before ? null : true), 60_000);
      lags.push(performance.now() - began);
    };
    changing.push(one());
  }
  await Promise.all(changing);
  return changing.length;
}

async function latencies({ cloudsFile, world, demoProject }: ScaleSite, say: Say): Promise<void> {
  const client = await DemoClient.login(cloudsFile, 'zun');
  const own = world.population.members.filter(({ projectId }) => projectId === demoProject);
  const times = async (count: number, path: () => string) => {
    const taken: number[] = [];
    for (let request = 0; request < count; request += 1) {
      const began = performance.now();
      await client.request('GET', path());
      taken.push(performance.now() - began);
    }
    return `${ms(percentile(taken, 0.5))} (median), ${ms(percentile(taken, 0.99))} (p99)`;
  };
  say(`show: ${await times(500, () => `/v1/containers/${own[randomInt(own.length)]?.uuid}`)}`);
  say(`list of 100 of ${own.length}: ${await times(200, () => `/v1/containers?limit=100&marker=${own[randomInt(own.length)]?.uuid}`)}`);
  say(`list of all ${own.length}: ${await times(50, () => '/v1/containers')}`);
}

/** Memory at the end, and share of a core, of each program while the work goes on. */
async function usedDuring(programs: MeasuredProgram[], work: () => Promise<unknown>): Promise<string[]> {
  const before = await Promise.all(programs.map((program) => program.figures()));
  const began = performance.now();
  await work();
  const took = (performance.now() - began) / 1000;
  const after = await Promise.all(programs.map((program) => program.figures()));
  return after.map(({ residentMiB, cpuSeconds }, index) => {
    const share = ((cpuSeconds - (before[index]?.cpuSeconds ?? 0)) / took) * 100;
    return `${residentMiB} MiB, ${share.toFixed(1)} % of a core`;
  });
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
const ms = (milliseconds: number): string => `${milliseconds.toFixed(1)} ms`;
