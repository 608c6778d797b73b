import type { ContainerRuntime } from '../../../src/runtime/container-runtime.ts';
import type { ImageStore } from '../../../src/runtime/image-store.ts';

/** What an adapter's test hands to the contract suite. Optional members are tested only where they are given. */
export interface RuntimeFixture {
  runtime: ContainerRuntime;
  images: ImageStore;
  /** Where workloads run already; holds `sh`, `echo`, `sleep`, `cat`, `ps`, `ls` and `stty` on its PATH (a BusyBox). */
  image: string;
  /** A pull of this fails because the registry (or the engine) says that there is no such image. */
  missing: { repository: string; tag: string };
  /** A pull of this succeeds; holds what `image` does. */
  pullable?: { repository: string; tag: string };
  /** An engine network that exists and an IPv4 address in its subnet that nothing uses, nor the two after it. */
  network?: { name: string; ipv4: string };
  /** The name of an empty volume that workloads can mount. */
  volume?: string;
  /** `false` where a log is of one run alone, and goes when the next one begins. */
  keepsLogs?: boolean;
  /** `false` where a start begins with the image's files, and what has ended has none to read. */
  keepsFiles?: boolean;
  /** `false` where what was never started has no files to write to. */
  filesBeforeStart?: boolean;
  /** `false` where the store pulls and searches, but cannot tell what the nodes hold (`find`, `list`, `remove`). */
  knowsImages?: boolean;
  /** `false` where the limits of what runs cannot be changed. */
  resizes?: boolean;
  /** `false` where the engine cannot give main processes terminals on this machine; commands get theirs. */
  terminals?: boolean;
  /** `false` where the engine cannot run privileged workloads on this machine. */
  privileged?: boolean;
  /** Names of what the engine or the adapter still holds for the workload: containers, volumes, files on disk. */
  leftovers?: (uuid: string) => Promise<string[]>;
  cleanup: () => Promise<void>;
}

/** Tests are registered before the fixture exists, so they take a way to get it. */
export type FixtureSource = () => RuntimeFixture;
