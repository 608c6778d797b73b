import { parseArgs } from 'node:util';
import { readToolSettings } from '../config/tool-settings.ts';
import { dialectFromUrl } from '../db/dialect-from-url.ts';
import { openDatabase } from '../db/open-database.ts';
import type { ToolOutput } from './db-manage-command.ts';
import { upgradeCheckTable } from './upgrade-check-table.ts';
import { upgradeChecks } from './upgrade-checks.ts';

const usage = 'usage: zun-status [--config-file FILE] [--database URL] upgrade check [--json]';
/** Not to be confused with the results of checks. */
const unexpected = 255;

/** `zun-status upgrade check`. Answers the worst result, 0 to 2, or 255. Origin: zun/cmd/status.py. */
export async function status(args: string[], { out, error }: ToolOutput): Promise<number> {
  let tool: ReturnType<typeof readArguments>;
  try {
    tool = readArguments(args);
  } catch (problem) {
    error(`zun-status: ${messageOf(problem)}\n${usage}`);
    return unexpected;
  }
  try {
    const settings = readToolSettings(tool);
    if (settings.connection === null)
      throw new Error(
        'no database is named: give --database URL, ZUN_DATABASE, database.url in zun.yaml, or [database]/connection in zun.conf',
      );
    const dialect = dialectFromUrl(settings.connection);
    const database = openDatabase(dialect);
    try {
      const checks = await upgradeChecks(database, dialect, settings);
      out(upgradeCheckTable(checks, tool.json));
      return Math.max(...checks.map(({ result }) => result));
    } finally {
      await database.close();
    }
  } catch (problem) {
    out(`Error:\n${messageOf(problem)}`);
    return unexpected;
  }
}

function readArguments(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { 'config-file': { type: 'string' }, database: { type: 'string' }, json: { type: 'boolean', default: false } },
  });
  if (positionals.join(' ') !== 'upgrade check') throw new Error("the command is 'upgrade check'");
  return { json: values.json, database: values.database, configFile: values['config-file'] };
}

const messageOf = (problem: unknown) => (problem instanceof Error ? problem.message : String(problem));
