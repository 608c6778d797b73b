import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { endsOnTerm } from '../contract/runtime/scripts.ts';
import { after, isAllowed, type ModelAction, type ModelContainer, type ZunModel } from './zun-model.ts';
import type { ZunSystem } from './zun-system.ts';

type Command = fc.AsyncCommand<ZunModel, ZunSystem>;

/** More would say nothing more, and take longer. */
const mostContainers = 3;

const requests: Record<ModelAction, { method: 'GET' | 'POST' | 'PATCH' | 'DELETE'; path: string; success: number }> = {
  start: { method: 'POST', path: '/start', success: 202 },
  stop: { method: 'POST', path: '/stop?timeout=1', success: 202 },
  kill: { method: 'POST', path: '/kill?signal=SIGKILL', success: 202 },
  pause: { method: 'POST', path: '/pause', success: 202 },
  unpause: { method: 'POST', path: '/unpause', success: 202 },
  reboot: { method: 'POST', path: '/reboot?timeout=1', success: 202 },
  rebuild: { method: 'POST', path: '/rebuild', success: 202 },
  delete: { method: 'DELETE', path: '', success: 204 },
  delete_after_stop: { method: 'DELETE', path: '?stop=true', success: 204 },
  delete_force: { method: 'DELETE', path: '?force=true', success: 204 },
  update: { method: 'PATCH', path: '', success: 200 },
  execute: { method: 'POST', path: '/execute?command=true&run=true', success: 200 },
  logs: { method: 'GET', path: '/logs', success: 200 },
  top: { method: 'GET', path: '/top', success: 200 },
};

class Create implements Command {
  readonly run: (model: ZunModel, real: ZunSystem) => Promise<void>;
  readonly #text: string;

  constructor(run: boolean, isHopeless: boolean, name: string) {
    this.#text = `create${run ? ' and run' : ''}${isHopeless ? ' of an image that is not there' : ''}`;
    this.run = async (model, real) => {
      const body = { name, image: isHopeless ? 'localhost/not-there' : 'busybox', command: endsOnTerm(0), memory: '64', cpu: 0.1 };
      const { status, json } = await real.request('POST', `/v1/containers?run=${run}`, body);
      assert.equal(status, 202, JSON.stringify(json));
      const { uuid } = json as { uuid: string };
      model.containers.push({ uuid, name, isHopeless, status: isHopeless ? 'Error' : run ? 'Running' : 'Created' });
      await agrees(model, real);
    };
  }

  check({ containers }: Readonly<ZunModel>): boolean {
    return containers.length < mostContainers;
  }

  toString(): string {
    return this.#text;
  }
}

class Act implements Command {
  readonly #action: ModelAction;
  readonly #which: number;
  readonly #name: string;

  constructor(action: ModelAction, which: number, name: string) {
    this.#action = action;
    this.#which = which;
    this.#name = name;
  }

  check({ containers }: Readonly<ZunModel>): boolean {
    return containers.length > 0;
  }

  async run(model: ZunModel, real: ZunSystem): Promise<void> {
    const container = model.containers[this.#which % model.containers.length];
    assert.ok(container);
    const { method, path, success } = requests[this.#action];
    const { uuid, status: before } = container;
    const body = this.#action === 'update' ? { name: this.#name } : undefined;
    const { status, json } = await real.request(method, `/v1/containers/${uuid}${path}`, body);
    const said = `${this.#action} of a container in ${before}: ${JSON.stringify(json)}`;
    if (!isAllowed(this.#action, before)) assert.equal(status, 409, said);
    else {
      // Nothing was ever written where there was never a workload.
      assert.equal(status, container.isHopeless && this.#action === 'logs' ? 409 : success, said);
      apply(model, container, this.#action, this.#name);
    }
    await agrees(model, real);
    if (!model.containers.includes(container)) assert.equal((await real.request('GET', `/v1/containers/${uuid}`)).status, 404, said);
  }

  toString(): string {
    return `${this.#action} [${this.#which}]`;
  }
}

function apply(model: ZunModel, container: ModelContainer, action: ModelAction, name: string): void {
  const next = after(action, container);
  if (next === null) model.containers.splice(model.containers.indexOf(container), 1);
  else container.status = next;
  if (action === 'update') container.name = name;
}

/** The list, and each view, say of each container what the model says, and nothing is there besides. */
async function agrees({ containers }: ZunModel, real: ZunSystem): Promise<void> {
  await real.settled();
  const { json } = await real.request('GET', '/v1/containers');
  const listed = (json as { containers: Record<string, unknown>[] }).containers;
  const believed = containers.map(({ uuid, name, status }) => ({ uuid, name, status, task_state: null }));
  const told = listed.map(({ uuid, name, status, task_state }) => ({ uuid, name, status, task_state }));
  const byUuid = (one: { uuid: unknown }, other: { uuid: unknown }) => String(one.uuid).localeCompare(String(other.uuid));
  assert.deepEqual(told.toSorted(byUuid), believed.toSorted(byUuid), JSON.stringify(listed.map((row) => row.status_reason)));
  const shown = await Promise.all(listed.map(async ({ uuid }) => (await real.request('GET', `/v1/containers/${uuid}`)).json));
  const again = (await real.request('GET', '/v1/containers')).json as typeof json;
  // State sync may have learnt more of a container between.
  if (isDeepStrictEqual(again, json)) assert.deepEqual(shown.map(common(listed)), listed.map(common(shown)));
}

/** Of each row what the row of the same place in the other list has as well, and what does not pass with the time. */
const common = (others: unknown[]) => (row: unknown, index: number) =>
  Object.fromEntries(
    Object.entries(row as object).filter(([key]) => key in (others[index] as object) && key !== 'links' && key !== 'status_detail'),
  );

/**
 * Sequences of requests: creates, and everything that can be done to one of the containers, allowed or not. Images that are not there
 * are asked for where a registry says so at once.
 */
export function zunCommands(maxCommands: number, { missingImages }: { missingImages: boolean }): fc.Arbitrary<Iterable<Command>> {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{2,8}$/);
  const hopeless = fc.integer({ min: 0, max: 5 }).map((number) => missingImages && number === 0);
  const create = fc.tuple(fc.boolean(), hopeless, name).map(([run, isHopeless, own]) => new Create(run, isHopeless, own));
  const actions = (Object.keys(requests) as ModelAction[]).map((action) =>
    fc.tuple(fc.nat(mostContainers - 1), name).map(([which, own]) => new Act(action, which, own)),
  );
  return fc.commands([create, create, ...actions], { maxCommands });
}
