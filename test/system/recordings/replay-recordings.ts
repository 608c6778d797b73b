import { type EngineName, startRecordedWorld } from './recorded-world.ts';
import type { RecordedScenario } from './recording.ts';
import { replayScenario, type StepOutcome } from './replay-scenario.ts';

/** These fill the node, take it out of service, or ask for an address that another's port might be given: nothing else runs meanwhile. */
const alone = new Set(['scheduling', 'services-and-hosts', 'nets', 'networks']);
/** Scenarios at a time: they mostly wait. */
const lanes = 12;
/** The longest of these begin first. */
const longest = ['settings', 'image-problems', 'admin-settings', 'registry', 'capsule-errors', 'capsule-restart-policy', 'restart-policy'];

/** Replays every scenario on one engine. A scenario that can't go on throws; the others go on first. */
export async function replayRecordings(engine: EngineName, scenarios: RecordedScenario[]): Promise<Map<string, StepOutcome[]>> {
  const world = await startRecordedWorld(
    engine,
    scenarios.map(({ name }) => name),
  );
  const outcomes = new Map<string, StepOutcome[]>();
  const replayOne = async (scenario: RecordedScenario) => void outcomes.set(scenario.name, await replayScenario(scenario, world));
  const failures: unknown[] = [];
  try {
    const place = ({ name }: RecordedScenario) => (longest.includes(name) ? longest.indexOf(name) : longest.length);
    const queue = scenarios.filter(({ name }) => !alone.has(name)).toSorted((one, other) => place(one) - place(other));
    const lane = async () => {
      for (let scenario = queue.shift(); scenario; scenario = queue.shift())
        await replayOne(scenario).catch((error) => failures.push(error));
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    for (const scenario of scenarios.filter(({ name }) => alone.has(name))) await replayOne(scenario);
  } finally {
    await world.close();
  }
  if (failures.length > 0) throw new AggregateError(failures, 'scenarios could not be replayed');
  return outcomes;
}
