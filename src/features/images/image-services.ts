import type { Authorizer } from '../../api/authorizer.ts';
import type { Database } from '../../db/database.ts';
import type { ImageStore } from '../../runtime/image-store.ts';
import type { TaskSignal } from '../../tasks/task-signal.ts';
import type { TaskStore } from '../../tasks/task-store.ts';
import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';
import type { Logger } from '../../telemetry/logger.ts';

/** What the images feature needs of the rest. */
export interface ImageServices {
  database: Database;
  policy: Authorizer;
  tasks: TaskStore;
  taskSignal: TaskSignal;
  images: ImageStore;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  settings: {
    defaultImageDriver: string;
    /** `[docker]/default_registry`: put before names without a domain; '' = the engine's own default. */
    defaultRegistry: string;
  };
  /** `[api]/max_limit`. */
  maxLimit: number;
}
