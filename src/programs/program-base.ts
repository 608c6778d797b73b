import { join } from 'node:path';
import { programMetrics } from '../admin/program-metrics.ts';
import { withTraces } from '../admin/with-traces.ts';
import type { Environment } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import type { Database } from '../db/database.ts';
import { type Dialect, sqlite } from '../db/dialect.ts';
import { dialectFromUrl } from '../db/dialect-from-url.ts';
import { openDatabase } from '../db/open-database.ts';
import { type FolderUse, openDataFolder } from '../local/data-folder.ts';
import { type Clock, systemClock } from '../telemetry/clock.ts';
import { createLogger } from '../telemetry/create-logger.ts';
import { type Ids, randomIds } from '../telemetry/ids.ts';
import type { Logger } from '../telemetry/logger.ts';
import { RequestScope } from '../telemetry/request-scope.ts';
import { RequestTraces } from '../telemetry/request-traces.ts';
import type { Cleanup } from './cleanup.ts';
import { startTraces } from './start-traces.ts';

/** How a program is started. */
export interface ProgramOptions {
  environment: Environment;
  hostname: string;
  /** Lines for the operator while something takes time. */
  progress(line: string): void;
}

/** What every program stands on; `cleanup` ends all of it. */
export interface ProgramBase {
  settings: Settings;
  environment: Environment;
  /** Of the data folder, and of this machine's engine. */
  use: FolderUse;
  clock: Clock;
  ids: Ids;
  scope: RequestScope;
  logger: Logger;
  observers: ReturnType<typeof programMetrics>;
  database: Database;
  dialect: Dialect;
  cleanup: Cleanup;
  progress(line: string): void;
  /** The data folder's absolute path; it is opened when it is first asked for: with a server's database and a cluster nobody needs it. */
  dataFolder(): Promise<string>;
}

/** Logs, metrics, traces, data folder and database, opened. Throws in words for the operator; what was opened is the cleanup's. */
export async function programBase(
  { environment, progress }: ProgramOptions,
  settings: Settings,
  use: FolderUse,
  cleanup: Cleanup,
): Promise<ProgramBase> {
  const [clock, ids, scope] = [systemClock, randomIds, new RequestScope()];
  const logger = createLogger({ level: settings.log.level, scope });
  if (environment.traces) cleanup.add(await startTraces());
  const measured = programMetrics(clock, logger);
  const observers = environment.traces ? withTraces(measured, new RequestTraces(), scope, clock) : measured;
  let folder: Promise<string> | null = null;
  const dataFolder = () => {
    folder ??= openDataFolder(environment.dataFolder, use).then((opened) => {
      cleanup.add(() => opened.release());
      return opened.path;
    });
    return folder;
  };
  // Who is alone in the folder says so before anything else.
  if (use === 'alone') await dataFolder();
  const { databaseUrl } = settings;
  const dialect = databaseUrl === null ? sqlite(join(await dataFolder(), 'zun.sqlite')) : dialectFromUrl(databaseUrl);
  const database = observers.database.observed(openDatabase(dialect, observers.database.onQuery));
  cleanup.add(() => database.close());
  return { settings, environment, use, clock, ids, scope, logger, observers, database, dialect, cleanup, progress, dataFolder };
}
