import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';
import type { Networking } from '../../networking/networking.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import type { ImageStore, RegistryCredentials } from '../../runtime/image-store.ts';
import type { Scheduler } from '../../scheduling/scheduler.ts';
import type { ActionLog } from '../../tasks/action-log.ts';
import type { TaskSignal } from '../../tasks/task-signal.ts';
import type { TaskStore } from '../../tasks/task-store.ts';
import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Volumes } from '../../volumes/volumes.ts';

/** What the containers feature needs of the rest; composed in `programs/`. */
export interface ContainerServices {
  database: Database;
  policy: Authorizer;
  tasks: TaskStore;
  actions: ActionLog;
  taskSignal: TaskSignal;
  scheduler: Scheduler;
  networking: Networking;
  volumes: Volumes;
  runtime: ContainerRuntime;
  images: ImageStore;
  registryCredentials: RegistryCredentialsSource;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  settings: ContainerSettings;
}

/** The login of a registry row; `null` when it has none. */
export type RegistryCredentialsSource = (
  registryId: number,
) => Promise<{ domain: string; credentials: RegistryCredentials | null } | null>;

export interface ContainerSettings {
  /** `[DEFAULT]/default_cpu`, cores. */
  defaultCpu: number;
  /** `[DEFAULT]/default_memory`, MiB. */
  defaultMemoryMiB: number;
  /** `[DEFAULT]/default_disk`, GiB, where the node can limit disks. */
  defaultDiskGiB: number;
  defaultImageDriver: string;
  imageDrivers: string[];
  /** `[docker]/default_registry`: put before names without a domain; '' = the engine's own default. */
  defaultRegistry: string;
  /** Seconds an exec may take. */
  execTimeoutSeconds: number;
  /** Seconds a stop waits before SIGKILL when the user names none. */
  stopGraceSeconds: number;
  /** Most rows of one page of a list (`[api]/max_limit`). */
  maximumPageSize: number;
  /** Quota defaults when neither project nor class has a limit. */
  quotaDefaults: { containers: number; memory: number; cpu: number; disk: number };
}
