import { failedParseStringToJson, invalidCapsuleTemplate } from './capsule-template-error.ts';

/** A JSON object of the template, as its schema let it through. */
export type TemplatePart = Record<string, unknown>;

/** Template's `restartPolicy` → the container's `Name`. */
const restartPolicies: Record<string, string> = { Never: 'no', Always: 'always', OnFailure: 'on-failure' };

/**
 * A capsule's template and its spec, the latter with `restart_policy` (`no`, `always`, `on-failure`) for `restartPolicy`. A template
 * that came as JSON text is read, and checked by `checkText`, which throws what the schema of requests would. 400 for what is none.
 * Origin: zun/api/controllers/v1/capsules.py, check_capsule_template.
 */
export function capsuleTemplate(template: unknown, checkText: (text: string) => void): { spec: TemplatePart; template: TemplatePart } {
  const read = typeof template === 'string' ? readText(template, checkText) : template;
  if (!isPart(read) || (read.kind !== 'capsule' && read.kind !== 'Capsule')) {
    throw invalidCapsuleTemplate('kind fields need to be set as capsule or Capsule');
  }
  if (!isPart(read.spec)) throw invalidCapsuleTemplate('No Spec found');
  const spec = withRestartPolicy(read.spec);
  if (!Array.isArray(spec.containers)) throw invalidCapsuleTemplate('No valid containers field');
  return { spec, template: { ...read, spec } };
}

export function isPart(value: unknown): value is TemplatePart {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function readText(text: string, checkText: (text: string) => void): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw failedParseStringToJson((error as SyntaxError).message);
  }
  checkText(text);
  return value;
}

function withRestartPolicy({ restartPolicy, ...spec }: TemplatePart): TemplatePart {
  if (restartPolicy === undefined) return spec;
  const name = typeof restartPolicy === 'string' ? restartPolicies[restartPolicy] : undefined;
  if (name === undefined) throw invalidCapsuleTemplate(`restartPolicy has to be one of ${Object.keys(restartPolicies).join(', ')}`);
  return { ...spec, restart_policy: name };
}
