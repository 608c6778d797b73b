import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';
import type { CapsuleSpec, NetworkInterface, NodeFacts, WorkloadObservation, WorkloadSpec } from '../container-runtime.ts';
import { RuntimeFault } from '../runtime-fault.ts';
import { bringImage } from './bring-image.ts';
import type { EventFeed } from './event-feed.ts';
import { MemoryCapsule } from './memory-capsule.ts';
import { MemoryFiles } from './memory-files.ts';
import type { MemoryImage } from './memory-image.ts';
import type { MemoryImageStore } from './memory-image-store.ts';
import type { MemoryNetworks } from './memory-networks.ts';
import { memoryNode } from './memory-node.ts';
import { memoryObservation } from './memory-observation.ts';
import { MemoryWorkload } from './memory-workload.ts';

export interface MemoryWorkloadsOptions {
  clock: Clock;
  ids: Ids;
  images: MemoryImageStore;
  networks: MemoryNetworks;
  feed: EventFeed;
  /** Whether images come with the start, and a log is of the last run alone. */
  pullsAtStart: boolean;
  node: Partial<NodeFacts> | undefined;
}

/** Docker's floor for a memory limit. */
const LEAST_MEMORY_MIB = 6;

/** What the memory runtime holds: workloads, capsules with theirs, and volumes. */
export class MemoryWorkloads {
  readonly #options: MemoryWorkloadsOptions;
  readonly #workloads = new Map<string, MemoryWorkload>();
  readonly #capsules = new Map<string, MemoryCapsule>();
  readonly #volumes = new Map<string, MemoryFiles>();

  constructor(options: MemoryWorkloadsOptions) {
    this.#options = options;
  }

  create(spec: WorkloadSpec): void {
    if (this.#workloads.has(spec.uuid)) return;
    const { images, networks, pullsAtStart } = this.#options;
    const image = pullsAtStart ? null : images.imageOf(spec.image);
    if (!image && !pullsAtStart) throw new RuntimeFault('not-found', `No such image: ${spec.image}`);
    if (spec.runtime !== null && !this.nodeFacts().runtimes.includes(spec.runtime)) {
      throw new RuntimeFault('invalid', `Unknown runtime specified ${spec.runtime}`);
    }
    requireMemory(spec.memoryMiB);
    for (const network of spec.networks) networks.require(network.engineNetwork);
    const workload = this.#newWorkload(spec, image);
    this.#attach(spec.uuid, spec.sandbox === undefined ? spec.networks : null);
    this.#hold(workload);
  }

  createCapsule(spec: CapsuleSpec): void {
    if (this.#capsules.has(spec.uuid)) return;
    for (const network of spec.networks) this.#options.networks.require(network.engineNetwork);
    const capsule = new MemoryCapsule({
      spec,
      clock: this.#options.clock,
      engineId: this.hexId(),
      member: (own) => this.#newWorkload(own, null),
      bring: (member) => this.#bring(member),
      tell: (action) => this.#tell(spec.uuid, action),
    });
    this.#attach(spec.uuid, spec.networks);
    this.#capsules.set(spec.uuid, capsule);
    this.#tell(spec.uuid, 'create');
    for (const member of capsule.members) this.#hold(member);
  }

  /** At once, unless the image has to be brought first. */
  start(whole: MemoryWorkload | MemoryCapsule): void | Promise<void> {
    if (whole instanceof MemoryCapsule) return whole.start();
    this.requireSandbox(whole.spec);
    return this.#options.pullsAtStart && !whole.runs ? this.#bringAndStart(whole) : whole.start();
  }

  /** Forgets a workload, or a capsule with what is in it. */
  forget(uuid: string): void {
    const capsule = this.#capsules.get(uuid);
    for (const { spec } of capsule?.members ?? []) if (this.#workloads.delete(spec.uuid)) this.#release(spec.uuid);
    if (this.#workloads.delete(uuid) || this.#capsules.delete(uuid)) this.#release(uuid);
  }

  inspect(uuid: string): WorkloadObservation | null {
    const whole = this.#capsules.get(uuid) ?? this.#workloads.get(uuid);
    return whole ? this.#observe(whole) : null;
  }

  list(): WorkloadObservation[] {
    return [...this.#capsules.values(), ...this.#workloads.values()].map((whole) => this.#observe(whole));
  }

  nodeFacts(): NodeFacts {
    return memoryNode(
      [...this.#workloads.values()].map((workload) => workload.state.status),
      this.#options.node,
    );
  }

  /** A workload of its own, or a capsule as a whole; `unsupported` for one of a capsule's. */
  findWhole(uuid: string): MemoryWorkload | MemoryCapsule | null {
    const owner = [...this.#capsules.values()].find(({ members }) => members.some(({ spec }) => spec.uuid === uuid));
    if (owner)
      throw new RuntimeFault('unsupported', `Container ${uuid} is started, stopped and removed with its capsule ${owner.spec.uuid}.`);
    return this.#capsules.get(uuid) ?? this.#workloads.get(uuid) ?? null;
  }

  requireWhole(uuid: string): MemoryWorkload | MemoryCapsule {
    return this.findWhole(uuid) ?? this.require(uuid);
  }

  require(uuid: string): MemoryWorkload {
    const workload = this.#workloads.get(uuid);
    if (!workload) throw new RuntimeFault('not-found', `No such container: zun-${uuid}`);
    return workload;
  }

  requireFiles(uuid: string): MemoryFiles {
    const workload = this.require(uuid);
    if (!workload.hasImage) throw new RuntimeFault('conflict', `Container ${workload.engineId} has no files before its first start`);
    return workload.files;
  }

  requireRunning(uuid: string): MemoryWorkload {
    const workload = this.require(uuid);
    if (!workload.runs) throw new RuntimeFault('conflict', `Container ${workload.engineId} is not running`);
    return workload;
  }

  /** A workload joins the namespaces of one that runs. */
  requireSandbox({ sandbox }: WorkloadSpec): void {
    if (sandbox === undefined || this.#workloads.get(sandbox)?.runs) return;
    throw new RuntimeFault('conflict', `cannot join network of a non running container: zun-${sandbox}`);
  }

  /** 64 hexadecimal digits. */
  hexId(): string {
    const { ids } = this.#options;
    return `${ids.uuid()}${ids.uuid()}`.replaceAll('-', '');
  }

  #newWorkload(spec: WorkloadSpec, image: MemoryImage | null): MemoryWorkload {
    return new MemoryWorkload({
      spec,
      image,
      clock: this.#options.clock,
      logsLastRunOnly: this.#options.pullsAtStart,
      engineId: this.hexId(),
      volume: (name) => this.#volume(name),
      tell: (action) => this.#tell(spec.uuid, action),
      removeSelf: () => this.forget(spec.uuid),
    });
  }

  #hold(workload: MemoryWorkload): void {
    const { uuid } = workload.spec;
    if (workload.hasImage) this.#options.images.hold(workload.image.id, uuid);
    this.#workloads.set(uuid, workload);
    this.#tell(uuid, 'create');
  }

  #release(uuid: string): void {
    this.#options.networks.detachAll(uuid);
    this.#options.images.release(uuid);
    this.#tell(uuid, 'destroy');
  }

  /** To the networks that are asked for, and to the engine's own where none is; `null` = to none. */
  #attach(uuid: string, networks: NetworkInterface[] | null): void {
    const bridge = { engineNetwork: 'bridge', ipv4: null, ipv6: null, mac: null };
    for (const network of networks?.length === 0 ? [bridge] : (networks ?? [])) this.#options.networks.attach(uuid, network);
  }

  async #bringAndStart(workload: MemoryWorkload): Promise<void> {
    await this.#bring(workload);
    // It may have been removed meanwhile, and would run with nobody to see it.
    this.require(workload.spec.uuid).start();
  }

  async #bring(workload: MemoryWorkload): Promise<void> {
    const { images } = this.#options;
    const { uuid } = workload.spec;
    workload.bring(await bringImage(images, workload.spec));
    if (this.#workloads.get(uuid) === workload) images.hold(workload.image.id, uuid);
  }

  #observe(whole: MemoryWorkload | MemoryCapsule): WorkloadObservation {
    const addresses = this.#options.networks.addressesOf(whole.spec.uuid);
    return memoryObservation(whole, { addresses, defaultRuntime: this.nodeFacts().runtimes[0] ?? null });
  }

  #tell(uuid: string, action: string): void {
    this.#options.feed.publish({ uuid, action, at: this.#options.clock.now() });
  }

  #volume(name: string): MemoryFiles {
    const volume = this.#volumes.get(name) ?? new MemoryFiles(() => this.#options.clock.now());
    this.#volumes.set(name, volume);
    return volume;
  }
}

/** `invalid` below the least that an engine takes. */
export function requireMemory(memoryMiB: number | null): void {
  if (memoryMiB !== null && memoryMiB < LEAST_MEMORY_MIB) throw new RuntimeFault('invalid', 'Minimum memory limit allowed is 6MB');
}
