import assert from 'node:assert/strict';
import { reconcileCapsule } from '../../src/features/capsules/reconcile-capsule.ts';
import type { CapsuleKind } from '../contract/runtime-contract.ts';
import { type BenchAnswer, type BenchRequest, ContainerBench } from './container-bench.ts';

/** A capsule as the API shows it, as far as tests look. */
export interface ShownCapsule extends Record<string, unknown> {
  uuid: string;
  status: string;
  status_reason: string | null;
  addresses: Record<string, unknown> | null;
  containers: ShownMember[];
  init_containers: ShownMember[];
}

export interface ShownMember extends Record<string, unknown> {
  uuid: string;
  name: string;
  status: string;
  status_detail: string | null;
}

/** A template around a spec; a container that sleeps unless the spec says otherwise. */
export function templateOf(spec: Record<string, unknown> = {}, rest: Record<string, unknown> = {}): Record<string, unknown> {
  const containers = [{ image: 'busybox', command: ['sleep', '1000'] }];
  return { kind: 'capsule', capsuleVersion: 'beta', metadata: { name: 'cap' }, spec: { containers, ...spec }, ...rest };
}

/** Both ways in which a runtime holds capsules: what users see is the same. */
export const capsuleKinds: readonly CapsuleKind[] = ['joined', 'as one'];

/** The capsules feature on a container bench. */
export class CapsuleBench {
  readonly bench: ContainerBench;

  constructor(bench: ContainerBench) {
    this.bench = bench;
  }

  static async open(kind: CapsuleKind = 'joined'): Promise<CapsuleBench> {
    return new CapsuleBench(await ContainerBench.open(undefined, undefined, kind));
  }

  post(template: unknown, options: BenchRequest = {}): Promise<BenchAnswer> {
    return this.bench.request('POST', '/v1/capsules', { ...options, json: { template } });
  }

  async ask(template: unknown, options: BenchRequest = {}): Promise<ShownCapsule> {
    const answer = await this.post(template, options);
    assert.equal(answer.status, 202, JSON.stringify(answer.json));
    return answer.json as ShownCapsule;
  }

  /** Creates a capsule and works off its task, time passing meanwhile. */
  async make(template: unknown = templateOf(), options: BenchRequest = {}): Promise<ShownCapsule> {
    const { uuid } = await this.ask(template, options);
    await this.work();
    return this.show(uuid);
  }

  async show(uuid: string, options: BenchRequest = { as: 'admin' }): Promise<ShownCapsule> {
    const { status, json } = await this.bench.request('GET', `/v1/capsules/${uuid}`, options);
    assert.equal(status, 200, JSON.stringify(json));
    return json as ShownCapsule;
  }

  async remove(uuid: string): Promise<void> {
    assert.equal((await this.bench.request('DELETE', `/v1/capsules/${uuid}`)).status, 204);
    await this.work();
  }

  /** Runs the queued tasks to their ends, moving the clock whenever they wait for it. */
  async work(): Promise<void> {
    await this.bench.work();
  }

  async reconcile(uuid: string) {
    return reconcileCapsule(this.bench.services, uuid, new AbortController().signal);
  }

  /** What the engine, the network, the volumes and the claims hold, and the rows. */
  async holdings() {
    const { queries } = this.bench.services.database;
    const count = async (table: 'container' | 'volume' | 'volume_mapping' | 'openkeel_task') =>
      (await queries.selectFrom(table).select('id').execute()).length;
    return {
      workloads: (await this.bench.runtime.list()).length,
      ports: this.bench.networking.ports.size,
      claims: this.bench.scheduler.claims.size,
      attachments: this.bench.volumes.attachments.size,
      rows: await count('container'),
      volumeRows: (await count('volume')) + (await count('volume_mapping')),
      tasks: await count('openkeel_task'),
    };
  }
}

/** Holdings of a bench on which nothing is left. */
export const nothing = { workloads: 0, ports: 0, claims: 0, attachments: 0, rows: 0, volumeRows: 0, tasks: 0 };
