import type { Authorizer } from '../../api/authorizer.ts';
import type { ConsoleSettings, ContainerSettings } from '../../config/settings.ts';
import type { Database, Queries } from '../../db/database.ts';
import type { Networking } from '../../networking/networking.ts';
import type { ContainerRuntime } from '../../runtime/container-runtime.ts';
import type { ImageStore, RegistryCredentials } from '../../runtime/image-store.ts';
import type { Scheduler } from '../../scheduling/scheduler.ts';
import type { HostLoss } from '../../sync/lost-host.ts';
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
  hostLosses: HostLossSource;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  settings: ContainerSettings;
  consoles: ConsoleSettings;
}

/** Hosts that are down by what their services' rows say, each with why. One query. */
export type HostLossSource = (queries: Queries) => Promise<ReadonlyMap<string, HostLoss>>;

/** The login of a registry row; `null` when it has none. */
export type RegistryCredentialsSource = (registryId: number) => Promise<{ domain: string; credentials: RegistryCredentials | null } | null>;
