import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { comparableAnswers } from './comparable-answers.ts';
import { compareOutside } from './compare-outside.ts';
import { type Difference, matchJson } from './match-json.ts';
import { Placeholders } from './placeholders.ts';
import type { RecordedWorld, ScenarioPeople } from './recorded-world.ts';
import type { RecordedAnswer, RecordedRequest, RecordedScenario, RecordedStep } from './recording.ts';
import { type RecordedWebSocket, replayWebSocket } from './replay-websocket.ts';
import { beforehand, behindTheBack } from './scenario-setup.ts';
import { unlikelyStates } from './status-path.ts';
import { tolerancesOf } from './tolerances.ts';

export interface StepOutcome {
  scenario: string;
  step: number;
  about: string;
  differences: Difference[];
  seconds: number;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  text: string;
  json: unknown;
}

/** Milliseconds between two looks. */
const lookEvery = 100;
/**
 * Milliseconds without any change after which what we have is final: as long as the recording took, within bounds. What fails and is run
 * again shows nothing new until it has failed often enough.
 */
const finalAfter = (recordedSeconds: number): number => Math.min(Math.max(6, recordedSeconds), 20) * 1000;
/** Milliseconds until what was recorded without waiting has to be there: the original's calls took their time too. */
const soon = 3_000;
/** Milliseconds that an engine waits at most before it starts again what has ended a dozen times. */
const restartWithin = 60_000;

/** Milliseconds until a console is there for what happens to it. */
const consoleBegins = 1_500;

/** What happens to these was written down before them: they were open then. */
const isBesideTheOneBefore = ({ websocket, about }: RecordedStep): boolean =>
  websocket !== undefined && /^(close at container stop|two at once: the other)$/.test(about);

/** Does what the scenario did, in its order, and says of each step where our answer is another one. */
export async function replayScenario(scenario: RecordedScenario, world: RecordedWorld): Promise<StepOutcome[]> {
  const people = await world.people(scenario.name);
  const placeholders = new Placeholders(await beforehand(scenario.name, world, people));
  const replay = new ScenarioReplay(world, people, placeholders, namesIn(scenario));
  const outcomes: StepOutcome[] = [];
  for (const [index, step] of scenario.steps.entries()) {
    const began = performance.now();
    const next = scenario.steps[index + 1];
    if (next && isBesideTheOneBefore(next)) await replay.begin(next);
    const differences = await replay.step(step);
    const { scenario: name, step: number, about } = step;
    const seconds = (performance.now() - began) / 1000;
    outcomes.push({ scenario: name, step: number, about, differences, seconds });
  }
  return outcomes;
}

class ScenarioReplay {
  readonly #world: RecordedWorld;
  readonly #people: ScenarioPeople;
  readonly #placeholders: Placeholders;
  readonly #names: ReadonlySet<string>;
  /** Consoles that were opened before their step, by it. */
  readonly #begun = new Map<number, Promise<Difference[]>>();
  /** Placeholders of addresses that were opened. */
  readonly #usedTokens = new Set<string>();
  /** The placeholder of the container or capsule that the last request was about. */
  #subject = 'container';

  constructor(world: RecordedWorld, people: ScenarioPeople, placeholders: Placeholders, names: ReadonlySet<string>) {
    this.#world = world;
    this.#people = people;
    this.#placeholders = placeholders;
    this.#names = names;
  }

  /** Opens a console that the step before it is to meet. */
  async begin(step: RecordedStep): Promise<void> {
    this.#begun.set(step.step, this.#connect(step));
    await pause(consoleBegins);
  }

  async step(step: RecordedStep): Promise<Difference[]> {
    await behindTheBack[`${step.scenario}/${step.step}`]?.(this.#world, this.#placeholders);
    if (step.websocket !== undefined) return (await this.#begun.get(step.step)) ?? this.#connect(step);
    if (step.outside !== undefined) {
      const subject = this.#placeholders.value(this.#subject) ?? '';
      return this.#untilSame((placeholders) => compareOutside(step.outside ?? {}, { world: this.#world, placeholders, subject }));
    }
    const { request: recorded, response } = step;
    if (!recorded || !response) throw new Error(`${step.scenario}/${step.step}: it is not known how to do it`);
    this.#subject = subjectOf(recorded, response) ?? this.#subject;
    const filled = this.#filled(recorded);
    if (filled === null) return [{ place: 'request', expected: recorded.path, actual: 'names what an answer before did not give' }];
    if (step.waited) return this.#follow(step, filled, response);
    const once = async (placeholders: Placeholders) =>
      this.#compare(recorded, response, await this.#sendInTime(step, filled), placeholders);
    return /container_actions|\/logs$/.test(filled.path) ? this.#untilSame(once) : once(this.#placeholders);
  }

  /** A token that was used is good for nothing here, and an attach is asked for anew, where the recording went on with the old address. */
  async #connect({ websocket, as }: RecordedStep): Promise<Difference[]> {
    if (!websocket) return [];
    const { line } = websocket.request;
    const fill = (from: RecordedWebSocket) => this.#placeholders.filled(JSON.stringify(from).replaceAll('{wsproxy_host}', 'proxy'));
    // An id that no answer gave is one that does not exist.
    const filled = fill(websocket) ?? fill(withMadeUp(websocket));
    const proxy = this.#placeholders.value('wsproxy');
    if (filled === null || proxy === null)
      return [{ place: 'request', expected: line, actual: 'names what an answer before did not give' }];
    const recorded: RecordedWebSocket = JSON.parse(filled);
    const [, name = '', container = ''] = /token=\{(ws_token\d*)\}&uuid=\{(container\d*)\} /.exec(line) ?? [];
    if (name !== '' && this.#usedTokens.has(name)) {
      const { json } = await this.#send({ as }, { method: 'GET', path: `/v1/containers/${this.#placeholders.value(container)}/attach` });
      const token = typeof json === 'string' ? new URL(json).searchParams.get('token') : null;
      if (token) recorded.request.line = recorded.request.line.replace(/token=[^& ]*/, `token=${token}`);
    }
    const differences = await replayWebSocket(proxy, recorded);
    if (name !== '' && !differences.some(({ place }) => place === 'status')) this.#usedTokens.add(name);
    return differences;
  }

  /** Looks until the answer is the recorded one, or until nothing changes any more. */
  async #follow(step: RecordedStep, filled: RecordedRequest, response: RecordedAnswer): Promise<Difference[]> {
    const recorded = step.waited?.seconds ?? 0;
    const deadline = performance.now() + Math.max(45, recorded + 15) * 1000;
    const seen: string[] = [];
    let last = '';
    let changed = performance.now();
    for (;;) {
      const answer = await this.#send(step, filled);
      const state = stateOf(answer);
      if (state !== seen.at(-1)) seen.push(state);
      const learnt = this.#placeholders.copy();
      const differences = this.#compare(filled, response, answer, learnt);
      const now = performance.now();
      if (`${state} ${differences.length}` !== last) {
        last = `${state} ${differences.length}`;
        changed = now;
      }
      const isFinal = now - changed > finalAfter(recorded) && !isAtWork(answer);
      if (differences.length === 0 || isFinal || now > deadline) {
        this.#placeholders.learn(learnt);
        return [...differences, ...unlikelyStates(seen)];
      }
      await pause(lookEvery);
    }
  }

  async #untilSame(compare: (placeholders: Placeholders) => Promise<Difference[]>): Promise<Difference[]> {
    const end = performance.now() + soon;
    for (;;) {
      const learnt = this.#placeholders.copy();
      const differences = await compare(learnt);
      if (differences.length === 0 || performance.now() > end) {
        this.#placeholders.learn(learnt);
        return differences;
      }
      await pause(lookEvery);
    }
  }

  #compare(recorded: RecordedRequest, response: RecordedAnswer, answer: Answer, placeholders: Placeholders): Difference[] {
    const differences: Difference[] = [];
    if (answer.status !== response.status) {
      // Of another status nothing else is the same either.
      return [
        {
          place: 'status',
          expected: [response.status, response.json ?? response.text],
          actual: [answer.status, answer.json ?? answer.text],
        },
      ];
    }
    for (const [name, expected] of Object.entries(response.headers)) {
      if (name === 'Content-Length') continue;
      const actual = answer.headers[name.toLowerCase()] ?? '';
      if (!placeholders.matches(expected, actual)) differences.push({ place: `header ${name.toLowerCase()}`, expected, actual });
    }
    if (response.json === undefined) {
      if (response.text !== answer.text) differences.push({ place: 'text', expected: response.text, actual: answer.text });
      return differences;
    }
    const [expected, actual] = comparableAnswers(recorded, response.json, answer.json, placeholders);
    return [
      ...differences,
      ...matchJson(expected, this.#ofTheScenario(actual), placeholders, 'json', tolerancesOf(recorded, response.json, placeholders)),
    ];
  }

  /** As in the recording, lists leave out what is not of the scenario. */
  #ofTheScenario(json: unknown): unknown {
    if (typeof json !== 'object' || json === null) return json;
    const known = new Set(['container', 'capsule', 'image'].flatMap((kind) => this.#placeholders.all(kind)));
    const isKnown = (row: { uuid: string; name?: string }) => known.has(row.uuid) || (row.name !== undefined && this.#names.has(row.name));
    return Object.fromEntries(
      Object.entries(json).map(([name, value]) => {
        const isList = ['containers', 'capsules', 'images'].includes(name) && 'next' in json && Array.isArray(value);
        return [name, isList ? value.filter(isKnown) : value];
      }),
    );
  }

  /** What is restarted again and again refuses much between two runs, which get rarer: it is asked again. */
  async #sendInTime(step: RecordedStep, filled: RecordedRequest): Promise<Answer> {
    const end = performance.now() + restartWithin;
    for (;;) {
      const answer = await this.#send(step, filled);
      const isBetween = answer.status === 409 && answer.text.includes('in Restarting state');
      if (!isBetween || performance.now() > end) return answer;
      await pause(lookEvery);
    }
  }

  async #send(step: Pick<RecordedStep, 'as' | 'version'>, filled: RecordedRequest): Promise<Answer> {
    const query = new URLSearchParams(Object.entries(filled.query ?? {}).map(([name, value]): [string, string] => [name, String(value)]));
    const answer = await request(`${this.#world.url}${filled.path}${query.size > 0 ? `?${query}` : ''}`, {
      method: filled.method,
      headers: {
        accept: 'application/json',
        'x-auth-token': this.#people[step.as].token,
        ...(step.version ? { 'openstack-api-version': `container ${step.version}` } : {}),
        ...(filled.json === undefined ? {} : { 'content-type': 'application/json' }),
        ...filled.headers,
      },
      body: filled.json === undefined ? null : JSON.stringify(filled.json),
    });
    const text = await answer.body.text();
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    return { status: answer.statusCode, headers, text, json: parsed(text) };
  }

  #filled(recorded: RecordedRequest): RecordedRequest | null {
    const text = this.#placeholders.filled(JSON.stringify(withMadeUp(recorded)));
    if (text === null) return null;
    const filled: RecordedRequest = JSON.parse(text);
    // A time that was in the future then.
    if (Number(filled.query?.since) > 1e9) filled.query = { since: String(Math.floor(Date.now() / 1000) + 3600) };
    return filled;
  }
}

/** Ids in requests that name what does not exist are made up. */
function withMadeUp<T>(recorded: T): T {
  const text = JSON.stringify(recorded)
    .replaceAll('{digest}', 'ab'.repeat(32))
    .replace(/\{id\d*\}/g, '00000000-1111-4222-8333-444444444444');
  return JSON.parse(text.replaceAll('{request_id46}', 'req-00000000-1111-4222-8333-444444444444'));
}

function subjectOf(recorded: RecordedRequest, response: RecordedAnswer): string | null {
  const named = /\{(?<name>(?:container|capsule)\d*)\}/.exec(`${recorded.path} ${response.headers.Location ?? ''}`);
  return named?.groups?.name ?? null;
}

function namesIn(scenario: RecordedScenario): Set<string> {
  const bodies = scenario.steps.map((step) => step.request?.json as { name?: unknown } | null | undefined);
  return new Set(bodies.flatMap((body) => (typeof body?.name === 'string' ? [body.name] : [])));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Running`, `404`: what the README calls the path. */
function stateOf({ status, json }: Answer): string {
  const state = (json as { status?: unknown } | null | undefined)?.status;
  return status === 200 && typeof state === 'string' ? state : String(status);
}

function isAtWork({ json }: Answer): boolean {
  const { status, task_state: task } = (json ?? {}) as { status?: unknown; task_state?: unknown };
  return (task !== undefined && task !== null) || status === 'Deleting' || status === 'Creating';
}
