import assert from 'node:assert/strict';
import { containerTypes } from '../../../src/features/containers/container.ts';
import { until } from '../../system/engine/until.ts';
import { assertAgreement, startsOf } from './agreement.ts';
import type { FaultsWorld } from './faults-world.ts';
import { act, createCapsule, createContainer, endsAtOnce, type Thing, type Work, type WorkName, works } from './works.ts';

/** What a thing shows when nothing is done to it. */
const shown: Record<Thing, string> = {
  'created container': 'Created',
  'running container': 'Running',
  'stopped container': 'Stopped',
  'finished container': 'Stopped',
  capsule: 'Running',
};

/** Containers and capsules: works take what they need, and leave what later works may take. Counts the processes that each has started. */
export class Stock {
  readonly #world: FaultsWorld;
  readonly #idle: Record<Thing, string[]> = {
    'created container': [],
    'running container': [],
    'stopped container': [],
    'finished container': [],
    capsule: [],
  };
  readonly #starts = new Map<string, number>();

  constructor(world: FaultsWorld) {
    this.#world = world;
  }

  /** What the works need, in their order; `''` for those that need nothing. Nothing is under way afterwards, and no fault. */
  async take(names: readonly WorkName[]): Promise<string[]> {
    const world = this.#world;
    world.gate.heal();
    const taken: { uuid: string; needs: Thing }[] = [];
    const uuids: string[] = [];
    for (const name of names) {
      const { needs }: Work = works[name];
      const uuid = needs === null ? '' : (this.#idle[needs].shift() ?? (await this.#make(needs)));
      uuids.push(uuid);
      if (needs !== null) taken.push({ uuid, needs });
    }
    await world.settled();
    for (const { uuid, needs } of taken) {
      if (needs !== 'stopped container' || (await world.show(uuid))?.status === 'Stopped') continue;
      await world.shows(uuid, ({ status }) => status === 'Running');
      await act(world, 'POST', uuid, '/stop?timeout=2');
    }
    for (const { uuid, needs } of taken) await world.shows(uuid, ({ status }) => status === shown[needs]);
    await world.settled();
    return uuids;
  }

  /** Holds what the work has left against what it should, and takes it back. */
  async give(name: WorkName, uuid: string): Promise<void> {
    const { leaves, starts }: Work = works[name];
    if (leaves === null) {
      assert.equal(await this.#world.show(uuid), null, `${name} of ${uuid}\n${this.#world.log}`);
      return;
    }
    this.#starts.set(uuid, (this.#starts.get(uuid) ?? 0) + starts);
    await this.#assertIs(leaves, uuid, name);
    this.#idle[leaves].push(uuid);
  }

  /** Takes back what was not worked on, and holds it against what it was. */
  async restore(names: readonly WorkName[], uuids: readonly string[]): Promise<void> {
    for (const [index, name] of names.entries()) {
      const { needs }: Work = works[name];
      if (needs === null) continue;
      await this.#assertIs(needs, uuids[index] ?? '', 'nothing');
      this.#idle[needs].push(uuids[index] ?? '');
    }
  }

  /** Has everything taken away, also what a test that failed has not given back; nothing may be left. */
  async clear(): Promise<void> {
    const { gate, database } = this.#world;
    gate.heal();
    await this.#world.settled();
    const rows = database.queries.selectFrom('container').select(['uuid', 'container_type']);
    for (const { uuid, container_type } of await rows.where('capsule_id', 'is', null).execute()) {
      if (container_type === containerTypes.capsule) await this.#world.get('DELETE', `/v1/capsules/${uuid}`);
      else await act(this.#world, 'DELETE', uuid ?? '', '?stop=true');
    }
    await assertAgreement(this.#world);
    assert.deepEqual(await rows.execute(), []);
  }

  /** It shows so, and just so many processes have been started in it. */
  async #assertIs(thing: Thing, uuid: string, after: string): Promise<void> {
    const world = this.#world;
    await world.shows(uuid, ({ status, task_state = null }) => status === shown[thing] && task_state === null);
    const expected = this.#starts.get(uuid) ?? 0;
    // What runs may not have come to write yet.
    await until('the process has written', async () => ((await startsOf(world, uuid)) >= expected ? true : null)).catch(() => {});
    assert.equal(await startsOf(world, uuid), expected, `${after} of ${uuid}: processes started\n${world.log}`);
  }

  async #make(thing: Thing): Promise<string> {
    const world = this.#world;
    if (thing === 'capsule') return this.#counted(await createCapsule(world), 1);
    if (thing === 'created container') return this.#counted(await createContainer(world, { run: false }), 0);
    return this.#counted(await createContainer(world, thing === 'finished container' ? { command: endsAtOnce } : {}), 1);
  }

  #counted(uuid: string, starts: number): string {
    this.#starts.set(uuid, starts);
    return uuid;
  }
}
