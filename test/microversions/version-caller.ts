import assert from 'node:assert/strict';
import type { LocalBench } from '../bench/local-bench.ts';

interface CallOptions {
  /** `admin` unless said: he sees and may all that the default policy allows to anybody. */
  as?: 'demo' | 'admin';
  json?: unknown;
}

interface Answer {
  status: number;
  // The tests know what they asked for.
  json: Record<string, unknown>;
}

/** Calls the whole API at a version that is told with each call. */
export class VersionCaller {
  readonly bench: LocalBench;

  constructor(bench: LocalBench) {
    this.bench = bench;
  }

  async call(version: string, request: string, { as = 'admin', json }: CallOptions = {}): Promise<Answer> {
    const [method = '', url = ''] = request.split(' ');
    const answer = await this.bench.core.server.inject({
      method: method as 'GET',
      url,
      headers: {
        accept: 'application/json',
        'x-auth-token': as,
        'openstack-api-version': `container ${version}`,
        ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
    });
    return { status: answer.statusCode, json: answer.body === '' ? {} : ((JSON.parse(answer.body) as Answer['json'] | null) ?? {}) };
  }

  async status(version: string, request: string, options?: CallOptions): Promise<number> {
    return (await this.call(version, request, options)).status;
  }

  /** The statuses of one request at several versions. */
  async statuses(versions: string[], request: string, options?: CallOptions): Promise<number[]> {
    const statuses = [];
    for (const version of versions) statuses.push(await this.status(version, request, options));
    return statuses;
  }

  /** `POST /v1/containers` with members beside image and command. */
  async create(version: string, members: Record<string, unknown>, as: 'demo' | 'admin' = 'admin'): Promise<Answer> {
    const command = versionIsBefore(version, 20) ? 'sleep 1000' : ['sleep', '1000'];
    return this.call(version, 'POST /v1/containers?run=true', {
      as,
      json: { image: 'busybox', command, cpu: 0.1, memory: 32, ...members },
    });
  }

  /** A parameter of the create is refused before a version, in words that name both, and accepted (or refused by policy) from it on. */
  async parameterBegins(version: string, name: string, value: unknown, accepted = 202): Promise<void> {
    const before = previous(version);
    const refused = await this.create(before, { [name]: value });
    assert.equal(refused.status, 400);
    const [error] = refused.json.errors as { code: string; title: string }[];
    assert.equal(error?.code, 'container.invalid-param-in-version');
    assert.match(error?.title ?? '', new RegExp(`${name}.*${before}`));
    assert.equal((await this.create(version, { [name]: value })).status, accepted);
  }

  /** A container that runs; what is asked for goes through any version. */
  async container(members: Record<string, unknown> = {}): Promise<string> {
    const { status, json } = await this.create('1.40', members);
    assert.equal(status, 202, JSON.stringify(json));
    await this.bench.runTasks();
    const shown = await this.show(String(json.uuid));
    assert.equal(shown.status, 'Running', String(shown.status_reason));
    return String(json.uuid);
  }

  async show(uuid: string, version = '1.40'): Promise<Record<string, unknown>> {
    return (await this.call(version, `GET /v1/containers/${uuid}`)).json;
  }

  /** Creates a capsule with one busybox, and what is said of it and of the template beside. */
  async capsule(version: string, parts: { member?: object; spec?: object; metadata?: object; template?: object } = {}): Promise<Answer> {
    const member = { image: 'busybox', command: ['sleep', '1000'], ...parts.member };
    const template = {
      kind: 'capsule',
      capsuleVersion: 'beta',
      metadata: { name: 'cap', ...parts.metadata },
      spec: { containers: [member], ...parts.spec },
      ...parts.template,
    };
    return this.call(version, 'POST /v1/capsules', { json: { template } });
  }
}

/** The version before one: `1.20` → `1.19`. */
export const previous = (version: string): string => `1.${Number(version.slice(2)) - 1}`;

const versionIsBefore = (version: string, minor: number): boolean => Number(version.slice(2)) < minor;
