import { maximumMinor, minimumMinor, versionText } from '../api/api-version.ts';
import { openapiDocument } from '../api/openapi/openapi-document.ts';
import { defaultSettings } from '../config/settings.ts';
import { configCommand } from './config-command.ts';
import { contractFile, contractSchemas } from './contract-file.ts';
import { dbManage, type ToolOutput } from './db-manage-command.ts';
import { policyCommand, policyUsage } from './policy-command.ts';
import { status } from './status-command.ts';
import { UsageError } from './usage-error.ts';

const usage = [
  'usage: zun COMMAND …',
  '',
  '  standalone      everything in one process, on this machine; settings are in docs/GETTING-STARTED.md',
  '  api             the REST API (also zun-api)',
  '  compute         runs the work, keeps rows true (also zun-compute)',
  '  agent           tells of this node (also zun-compute-agent)',
  '  wsproxy         consoles: attach and interactive exec over WebSockets (also zun-wsproxy)',
  '                  these four are for several machines or processes; settings are in docs/CONFIGURATION.md',
  '  node …          what the workers ask of a Kubernetes node, by exec into its agent',
  '  config …        show, check, convert a configuration file',
  '  policy check    which rules a caller passes',
  '  db-manage …     the database: upgrade, version, … (also zun-db-manage)',
  '  status …        checks before an upgrade (also zun-status)',
  '  openapi         print the OpenAPI document of the service',
  '  version         print the version of the service and of its API',
].join('\n');

/** The exit code of a command line that can't be understood. */
const misused = 2;

type Command = (args: string[], output: ToolOutput) => number | Promise<number>;

const commands: Record<string, Command> = {
  config: (args, output) => configCommand(args, output),
  policy: policyCommand,
  'db-manage': dbManage,
  status,
  openapi: takesNothing(({ out }) => {
    const { routes } = JSON.parse(contractFile('routes.json'));
    const { limits } = defaultSettings('localhost');
    out(JSON.stringify(openapiDocument({ routes, contract: contractSchemas(), limits }), null, 2));
  }),
  version: takesNothing(({ out }) => {
    const { version } = JSON.parse(contractFile('../package.json'));
    out(`zun ${version}, API ${versionText(minimumMinor)} to ${versionText(maximumMinor)}`);
  }),
};

/**
 * Runs `zun`'s subcommands but for the programs that stay, such as `standalone`. Answers the exit code: 0, 1 for what can't be done, 2 for a command
 * line that can't be understood, or the code of the tool.
 */
export async function zunCommand(args: string[], output: ToolOutput): Promise<number> {
  const [name = '', ...rest] = args;
  if (['help', '--help', '-h'].includes(name)) {
    output.out(usage);
    return 0;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    output.error(`zun: ${name === '' ? 'a command is missing' : `there is no command '${name}'`}\n${usage}`);
    return misused;
  }
  try {
    return await command(rest, output);
  } catch (error) {
    const message = `zun ${name}: ${error instanceof Error ? error.message : String(error)}`;
    if (!(error instanceof UsageError)) {
      output.error(message);
      return 1;
    }
    output.error(name === 'policy' ? `${message}\n${policyUsage}` : message);
    return misused;
  }
}

function takesNothing(run: (output: ToolOutput) => void): Command {
  return (args, output) => {
    if (args.length > 0) throw new UsageError(`it takes no arguments, not '${args.join(' ')}'`);
    run(output);
    return 0;
  };
}
