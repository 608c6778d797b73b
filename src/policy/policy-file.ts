import { readFile, stat } from 'node:fs/promises';
import { parse } from 'yaml';
import { PolicyEnforcer, type PolicyRules } from './policy-enforcer.ts';

/**
 * The operator's policy file (YAML or JSON, rule name → rule), read again when it changes, so that no restart is needed.
 * A file that is not there leaves the defaults. One that can't be used is an error at first; later the rules
 * in force stay, and `onProblem` is told once. The path '' is no file at all, and never looked for.
 */
export class PolicyFile {
  readonly #path: string;
  readonly #defaults: PolicyRules;
  readonly #onProblem: (message: string) => void;
  #enforcer: PolicyEnforcer | null = null;
  #version: string | null = null;

  constructor(path: string, defaults: PolicyRules, onProblem: (message: string) => void) {
    this.#path = path;
    this.#defaults = defaults;
    this.#onProblem = onProblem;
  }

  /** The rules in force now: one `stat`, and a read when the file changed. */
  async current(): Promise<PolicyEnforcer> {
    const version = await this.#fileVersion();
    if (this.#enforcer && version === this.#version) {
      return this.#enforcer;
    }
    this.#version = version;
    try {
      const overrides = version === null ? {} : parsePolicies(await readFile(this.#path, 'utf8'));
      this.#enforcer = new PolicyEnforcer(this.#defaults, overrides);
      for (const warning of this.#enforcer.warnings) {
        this.#onProblem(`${this.#path}: ${warning}`);
      }
    } catch (error) {
      const message = `${this.#path}: ${error instanceof Error ? error.message : String(error)}`;
      if (!this.#enforcer) {
        throw new Error(message, { cause: error });
      }
      this.#onProblem(message);
    }
    return this.#enforcer;
  }

  /** Null when there is no file, or no path. The inode tells a file put in place by a rename within one tick of the clock. */
  async #fileVersion(): Promise<string | null> {
    if (this.#path === '') return null;
    const found = await stat(this.#path, { bigint: true }).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') {
        return null;
      }
      throw error;
    });
    return found && `${found.ino}:${found.mtimeNs}:${found.size}`;
  }
}

/** Refuses, by name, rules that are neither text nor lists of texts: an empty value must not read as "everybody". */
function parsePolicies(text: string): PolicyRules {
  const document: unknown = parse(text) ?? {};
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Error('a mapping of rule names to rules is expected');
  }
  for (const [name, rule] of Object.entries(document)) {
    if (!isRule(rule)) {
      throw new Error(`the rule ${name} is neither text nor a list`);
    }
  }
  return document as PolicyRules;
}

function isRule(rule: unknown): boolean {
  const isText = (value: unknown) => typeof value === 'string';
  return isText(rule) || (Array.isArray(rule) && rule.every((inner) => isText(inner) || (Array.isArray(inner) && inner.every(isText))));
}
