import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { parseArgs } from 'node:util';
import { ConfigurationError } from '../config/configuration-error.ts';
import { convertOptions } from '../config/convert-options.ts';
import { type Environment, readEnvironment } from '../config/environment.ts';
import { originalOptions } from '../config/original-options.ts';
import { readOsloFile } from '../config/oslo-file.ts';
import { parseSettings } from '../config/parse-settings.ts';
import { programSettings } from '../config/program-settings.ts';
import { defaultSettings } from '../config/settings.ts';
import { shownSettings } from '../config/shown-settings.ts';
import { standaloneSettings } from '../config/standalone-settings.ts';
import type { ToolOutput } from './db-manage-command.ts';
import { UsageError } from './usage-error.ts';

const usage = [
  'usage: zun config show [--config FILE] [--programs] what is in force in standalone, or in the other programs, without secrets',
  '       zun config check FILE                        whether a configuration file can be used',
  '       zun config convert ZUN_CONF [--output FILE]  a configuration file from a zun.conf of the original',
].join('\n');

/**
 * `zun config`: answers 0, or 1 for a file that cannot be used, each problem on a line with its position. Throws `UsageError`, and an
 * `Error` for a file that cannot be read or written.
 */
export function configCommand(args: string[], output: ToolOutput, environment: () => Environment = readEnvironment): number {
  const { command, file, config, written, isOfPrograms } = readArguments(args);
  try {
    if (command === 'show') show({ ...environment(), ...(config === undefined ? {} : { configFile: config }) }, isOfPrograms, output);
    else if (command === 'check') check(file, output);
    else convert(file, written, output);
    return 0;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    output.error(error.message);
    return 1;
  }
}

function show(environment: Environment, isOfPrograms: boolean, { out }: ToolOutput): void {
  const { settings, file } = (isOfPrograms ? programSettings : standaloneSettings)({ environment, hostname: hostname() });
  out(`# The defaults${isOfPrograms ? '' : ' of standalone'}, ${file === null ? 'no configuration file' : file}, and the environment.`);
  out(shownSettings(settings).trimEnd());
}

/** What the environment of this process says has no part in it. */
function check(file: string, { out }: ToolOutput): void {
  standaloneSettings({ environment: readEnvironment({ ZUN_CONFIG: file }), hostname: hostname() });
  out(`${file} can be used.`);
}

function convert(file: string, written: string | undefined, { out, error }: ToolOutput): void {
  const { yaml, notes } = convertOptions(osloFile(file), originalOptions());
  const text = `# Made from ${file} by zun config convert.\n\n${yaml}`;
  // It may hold the key that passwords are encrypted with.
  if (written === undefined) out(text.trimEnd());
  else writeFileSync(written, text, { flag: 'wx', mode: 0o600 });
  for (const { kind, option, value, why } of notes) error(`${kind}: ${option} = ${value}: ${why}`);
  // Options that are fine alone may not be together.
  parseSettings(text, written ?? 'the new file', defaultSettings(hostname()));
}

function osloFile(file: string) {
  try {
    return readOsloFile(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

const filesOf: Record<string, number> = { show: 0, check: 1, convert: 1 };

function readArguments(args: string[]) {
  const { values, positionals } = parse(() =>
    parseArgs({
      args,
      allowPositionals: true,
      options: { config: { type: 'string' }, programs: { type: 'boolean' }, output: { type: 'string', short: 'o' } },
    }),
  );
  const [command, ...files] = positionals;
  const wanted = command !== undefined && Object.hasOwn(filesOf, command) ? filesOf[command] : undefined;
  if (wanted === undefined) throw wrong(command === undefined ? 'a command is missing' : `there is no command '${command}'`);
  if (files.length !== wanted)
    throw wrong(wanted === 1 ? `${command} wants one file` : `${command} takes --config FILE and --programs only`);
  for (const option of ['config', 'programs'] as const)
    if (values[option] !== undefined && command !== 'show') throw wrong(`--${option} is for show`);
  if (values.output !== undefined && command !== 'convert') throw wrong('--output is for convert');
  return { command, file: files[0] ?? '', config: values.config, written: values.output, isOfPrograms: values.programs ?? false };
}

/** What Node says of an option that is unknown or has no value, as an error of the caller. */
function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : String(error));
  }
}

const wrong = (words: string) => new UsageError(`${words}\n${usage}`);
