import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { defaultSettings, type Settings } from '../../src/config/settings.ts';
import type { Fernet } from '../../src/crypto/fernet.ts';
import type { PolicyRules } from '../../src/policy/policy-enforcer.ts';
import { type ZunCore, zunCore } from '../../src/programs/zun-core.ts';
import type { Logger } from '../../src/telemetry/logger.ts';
import { countedIds } from '../contract/fixed-time.ts';
import type { Answer } from './compare-answer.ts';
import type { RecordedRequest } from './record.ts';
import type { ReplayDatabase } from './replay-database.ts';
import { StoppedClock } from './stopped-clock.ts';
import { portOf, type World } from './world.ts';

/** What an operator had set when the record was made. */
export interface Variant {
  settings: (settings: Settings) => void;
  /** The rules in place of the contract's; `null` = the contract's. */
  rules: PolicyRules | null;
  /** The operator's policy file. */
  overrides: PolicyRules;
  /** Tells this variant from others: the core is made once for each. */
  key: string;
}

export interface ReplayOptions {
  database: ReplayDatabase;
  fernet: Fernet;
  now: number;
  host: string;
  /** The `Host` of every request: links are made of it. */
  authority: string;
  identityUrl: string;
}

/** The whole service over a database in memory and recorded ports, driven without a socket. */
export class ReplayCore {
  readonly #options: ReplayOptions;
  readonly #cores = new Map<string, Promise<ZunCore>>();
  readonly #folder = mkdtempSync(join(tmpdir(), 'zun-conformance-'));
  #world: World | null = null;
  /** What the service logged as its own defects during the last request. */
  readonly defects: unknown[] = [];

  constructor(options: ReplayOptions) {
    this.#options = options;
  }

  async send(world: World, variant: Variant, request: RecordedRequest, headers: Record<string, string> = {}): Promise<Answer> {
    this.#world = world;
    this.defects.length = 0;
    const { server } = await this.#core(variant);
    const answer = await server.inject({
      method: request.method as 'GET',
      url: request.path + (request.query ? `?${request.query}` : ''),
      headers: { host: this.#options.authority, ...request.headers, ...headers },
      ...payload(request),
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  }

  async close(): Promise<void> {
    for (const core of this.#cores.values()) await (await core).server.close();
    rmSync(this.#folder, { recursive: true });
  }

  #core(variant: Variant): Promise<ZunCore> {
    const made = this.#cores.get(variant.key) ?? this.#make(variant);
    this.#cores.set(variant.key, made);
    return made;
  }

  #make(variant: Variant): Promise<ZunCore> {
    const { database, fernet, now, host, identityUrl } = this.#options;
    const settings = defaultSettings(host);
    variant.settings(settings);
    const policyFile = join(this.#folder, `policy-${this.#cores.size}.yaml`);
    writeFileSync(policyFile, stringify(variant.overrides));
    const port = <Name extends keyof World>(name: Name) => portOf(name, () => this.#world as World);
    return zunCore({
      settings,
      database: database.database,
      runtime: port('runtime'),
      images: port('images'),
      networking: port('networking'),
      volumes: port('volumes'),
      inventory: port('inventory'),
      identity: port('identity'),
      identityUrl,
      fernet,
      policyFile,
      ...(variant.rules ? { policyRules: variant.rules } : {}),
      clock: new StoppedClock(now),
      ids: countedIds(),
      logger: this.#logger(),
    });
  }

  #logger(): Logger {
    const ignored = () => {};
    return { debug: ignored, info: ignored, warn: ignored, error: (context) => this.defects.push(context) };
  }
}

function payload(request: RecordedRequest): { payload?: string } {
  if (request.raw !== undefined) return { payload: request.raw };
  return request.json === undefined ? {} : { payload: JSON.stringify(request.json) };
}
