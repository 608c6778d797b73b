import type { AnsweredRequest } from '../api/answered-request.ts';
import type { Settings } from '../config/settings.ts';
import type { Fernet } from '../crypto/fernet.ts';
import type { Database } from '../db/database.ts';
import type { Identity } from '../identity/identity.ts';
import type { Networking } from '../networking/networking.ts';
import type { PolicyRules } from '../policy/policy-enforcer.ts';
import type { ContainerRuntime } from '../runtime/container-runtime.ts';
import type { ImageStore } from '../runtime/image-store.ts';
import type { Inventory } from '../scheduling/inventory.ts';
import type { SyncObserver } from '../sync/sync-observer.ts';
import type { TaskObserver } from '../tasks/task-observer.ts';
import type { Clock } from '../telemetry/clock.ts';
import type { Ids } from '../telemetry/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { RequestScope } from '../telemetry/request-scope.ts';
import type { Volumes } from '../volumes/volumes.ts';

/** What a program chooses: one adapter a port, and the settings. */
export interface ZunParts {
  settings: Settings;
  database: Database;
  runtime: ContainerRuntime;
  images: ImageStore;
  networking: Networking;
  volumes: Volumes;
  inventory: Inventory;
  identity: Identity;
  /** For `WWW-Authenticate`. */
  identityUrl: string;
  fernet: Fernet;
  /** Overrides of the default rules; need not exist. */
  policyFile: string;
  /** In place of the contract's default rules. */
  policyRules?: PolicyRules;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  /** The logger's, so that its lines name the request they belong to. */
  scope?: RequestScope;
  /** What hears of requests, tasks and sync. */
  observers?: { onAnswered(answered: AnsweredRequest): void; tasks: TaskObserver; sync: SyncObserver };
}
