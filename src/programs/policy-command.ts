import { access } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { defaultPolicies } from '../policy/default-policies.ts';
import { PolicyEnforcer } from '../policy/policy-enforcer.ts';
import { PolicyFile } from '../policy/policy-file.ts';
import { contractFile } from './contract-file.ts';
import type { ToolOutput } from './db-manage-command.ts';
import { UsageError } from './usage-error.ts';

/** How `zun policy check` is called. */
export const policyUsage = [
  'usage: zun policy check [--user-id ID] [--project-id ID] [--roles ROLE,ROLE…] [--target-project ID] [--target-user ID]',
  '                        [--policy-file FILE] [--json] [RULE…]',
].join('\n');

/**
 * `zun policy check`: which rules a caller passes, all or those that are named. Without `--target-project` and `--target-user` what is acted on
 * is the caller's own. Rules are the defaults, changed by the policy file where one is given. Answers 0, whatever the rules say. Throws
 * `UsageError`, and an `Error` for a file that can't be used.
 */
export async function policyCommand(args: string[], { out, error }: ToolOutput): Promise<number> {
  const { caller, target, policyFile, json, rules } = readArguments(args);
  const enforcer = await enforcerOf(policyFile, error);
  const unknown = rules.filter((rule) => !enforcer.names.includes(rule));
  if (unknown.length > 0) throw new UsageError(`there is no rule ${unknown.join(', ')}`);
  const context = { ...caller, isAdmin: enforcer.isAdmin(caller) };
  const asked = rules.length > 0 ? rules : enforcer.names;
  const answers = asked.map((rule) => [rule, enforcer.allows(context, rule, target)] as const);
  if (json) {
    out(JSON.stringify(Object.fromEntries(answers), null, 2));
    return 0;
  }
  const width = Math.max(...asked.map((rule) => rule.length));
  for (const [rule, passes] of answers) out(`${rule.padEnd(width)}  ${passes ? 'yes' : 'no'}`);
  return 0;
}

function readArguments(args: string[]) {
  const text = { type: 'string' } as const;
  const { values, positionals } = parse(() =>
    parseArgs({
      args,
      allowPositionals: true,
      options: {
        'user-id': text,
        'project-id': text,
        roles: text,
        'target-project': text,
        'target-user': text,
        'policy-file': text,
        json: { type: 'boolean', default: false },
      },
    }),
  );
  const [command, ...rules] = positionals;
  if (command !== 'check')
    throw new UsageError(command === undefined ? 'a command is missing: check' : `there is no command '${command}': check`);
  const [userId, projectId] = [values['user-id'] ?? null, values['project-id'] ?? null];
  const roles = (values.roles ?? '').split(',').flatMap((role) => role.trim() || []);
  const target = { project_id: values['target-project'] ?? projectId, user_id: values['target-user'] ?? userId };
  return { caller: { userId, projectId, roles }, target, policyFile: values['policy-file'] ?? null, json: values.json, rules };
}

/** What Node says of an option that is unknown or has no value, as an error of the caller. */
function parse<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function enforcerOf(policyFile: string | null, error: (line: string) => void): Promise<PolicyEnforcer> {
  const defaults = defaultPolicies(contractFile('policies.json'));
  if (policyFile === null) return new PolicyEnforcer(defaults);
  await access(policyFile).catch(() => {
    throw new Error(`${policyFile} can't be read`);
  });
  return new PolicyFile(policyFile, defaults, error).current();
}
