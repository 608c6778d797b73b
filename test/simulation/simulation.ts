import { Disasters } from './disasters.ts';
import { violationsOf } from './invariants.ts';
import { listViolations } from './list-violations.ts';
import { emptyViolations, restViolations } from './rest-violations.ts';
import type { Plant } from './simulated-process.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { Traffic } from './traffic.ts';
import { World } from './world.ts';

export interface SimulationOptions {
  seed: number;
  apis?: number;
  workers?: number;
  /** Every tenth seed has fifty, the others five, if nothing is said. */
  nodes?: number;
  /** See `WorldOptions`; every other seed. */
  spansHosts?: boolean;
  /** So long disasters happen and requests come, in seconds of the simulated clock. */
  seconds?: number;
  /**
   * So many seconds a clock may be off. Beyond the rest of a lease others take a task over from one who works on: he can't write, but
   * a call that he has already sent may take effect after it was undone.
   */
  skewSeconds?: number;
  plant?: Plant;
}

export interface SimulationResult {
  seed: number;
  /** What did not hold, in words; empty when all is well. The run ends at the first. */
  violations: string[];
  /** What happened, a line each, beginning with the second. The same seed makes the same lines. */
  trace: string[];
}

/** So long all is quiet before it is believed: every node has compared workloads and claims twice since the last call that hung. */
const quietMilliseconds = 135_000;
/** Undoing may take so long after the longest deadline. */
const patienceMilliseconds = 2 * 3_600_000;

/** Runs one simulated world: disasters and traffic, then peace, then everything is deleted; held to the invariants all the time. */
export async function runSimulation(options: SimulationOptions): Promise<SimulationResult> {
  const nodes = options.seed % 10 === 0 ? 50 : 5;
  const world = await World.open({ apis: 3, workers: 4, nodes, spansHosts: options.seed % 2 === 0, ...options });
  const run = new Run(world, options.skewSeconds ?? 15);
  try {
    await run.chaos(options.seconds ?? 150);
    await run.peace();
    await run.removal();
  } catch (error) {
    if (!(error instanceof Violation)) run.violations.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  await world.close();
  return { seed: options.seed, violations: run.violations, trace: world.trace };
}

class Violation extends Error {}

class Run {
  readonly violations: string[] = [];
  readonly #world: World;
  readonly #traffic: Traffic;
  readonly #disasters: Disasters;
  #before: Snapshot | null = null;
  #seenWrites = -1;

  constructor(world: World, skewSeconds: number) {
    this.#world = world;
    this.#traffic = new Traffic(world);
    this.#disasters = new Disasters(world, skewSeconds);
  }

  async chaos(seconds: number): Promise<void> {
    const { clock } = this.#world;
    const random = this.#world.random.fork('pace');
    const end = clock.now() + seconds * 1_000;
    // Some worlds are busy, some are unlucky.
    const [pace, luck] = [random.between(500, 4_000), random.between(2_000, 20_000)];
    let [request, disaster, list] = [clock.now(), clock.now() + luck, clock.now() + 10_000];
    while (clock.now() < end) {
      await this.#tick(Math.min(request, disaster, list, end, this.#disasters.next()));
      if (clock.now() >= request) {
        await this.#traffic.one();
        request = clock.now() + random.between(0, 2 * pace);
      }
      if (clock.now() >= disaster) {
        await this.#disasters.one();
        disaster = clock.now() + random.between(0, 2 * luck);
      }
      await this.#disasters.due();
      if (clock.now() >= list) {
        list = clock.now() + 10_000;
        await this.#world.settle();
        this.#require(await listViolations(this.#world));
      }
    }
  }

  async peace(): Promise<void> {
    this.#world.tell('*** peace');
    await this.#disasters.end();
    await this.#quiet();
    this.#require(await restViolations(this.#world, await takeSnapshot(this.#world)));
    this.#require(await listViolations(this.#world));
  }

  async removal(): Promise<void> {
    this.#world.tell('*** everything is deleted');
    const ask = async (method: 'POST' | 'DELETE', path: string) => {
      const { status } = await this.#world.auditor.request('admin', method, path);
      this.#world.tell(`admin ${method} ${path} -> ${status}`);
    };
    for (const { uuid, type, status } of (await takeSnapshot(this.#world)).rows.values()) {
      if (type === 1) await ask('DELETE', `/v1/capsules/${uuid}?all_projects=true`);
      // A paused container cannot be deleted, in the original neither.
      if (type === 0 && status === 'Paused') await ask('POST', `/v1/containers/${uuid}/unpause`);
      if (type === 0 && status === 'Paused') await this.#quiet(20_000);
      if (type === 0) await ask('DELETE', `/v1/containers/${uuid}?force=true&all_projects=true`);
    }
    await this.#quiet(5_000);
    this.#require(await emptyViolations(this.#world, await takeSnapshot(this.#world)));
  }

  /** Until nobody has had a task for a while. */
  async #quiet(milliseconds = quietMilliseconds): Promise<void> {
    const { clock } = this.#world;
    const giveUp = clock.now() + patienceMilliseconds;
    for (let since = clock.now(); clock.now() - since < milliseconds; ) {
      await this.#tick(since + milliseconds);
      if (this.#traffic.waiting > 0 || (this.#before?.tasks.length ?? 0) > 0) since = clock.now();
      if (clock.now() > giveUp) this.#require([`no peace after ${patienceMilliseconds / 60_000} minutes`]);
    }
  }

  /** Lets time pass until somebody wakes, at most to then, and looks at what came of it. */
  async #tick(limit: number): Promise<void> {
    const { clock, database, hands, leaders } = this.#world;
    clock.advance(limit);
    await this.#world.settle();
    if (database.writes === this.#seenWrites) return;
    this.#seenWrites = database.writes;
    const now = await takeSnapshot(this.#world);
    this.#require([...hands.violations, ...leaders.violations, ...violationsOf(now, this.#before, clock.now())]);
    this.#tellOfUnknown(now);
    this.#before = now;
  }

  /** The trace tells of containers that get lost and are found. */
  #tellOfUnknown(now: Snapshot): void {
    for (const { uuid, type, status } of now.rows.values()) {
      const before = this.#before?.rows.get(uuid)?.status;
      if (type > 1 || before === undefined || before === status || ![before, status].includes('Unknown')) continue;
      this.#world.tell(`${uuid.slice(0, 8)} was ${before} and is ${status}`);
    }
  }

  #require(violations: string[]): void {
    if (violations.length === 0) return;
    for (const violation of violations) this.#world.tell(`!!! ${violation}`);
    this.violations.push(...violations);
    throw new Violation();
  }
}
