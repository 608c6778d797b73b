import { Fernet } from '../../../src/crypto/fernet.ts';
import { schemaValidationError } from '../../../src/errors/catalogue.ts';
import { defaultPolicies } from '../../../src/policy/default-policies.ts';
import type { PolicyContext } from '../../../src/policy/policy-context.ts';
import { PolicyEnforcer } from '../../../src/policy/policy-enforcer.ts';
import { compileSchema } from '../../../src/validation/compile-schema.ts';
import { parsePythonJson } from '../../../src/validation/python-json.ts';
import type { PythonDict, PythonValue } from '../../../src/validation/python-value.ts';
import { failureDetail } from '../../../src/validation/validation-failure.ts';
import { contractText } from '../../contract/vectors.ts';
import { family, type VectorFamily } from './vector-family.ts';

const enforcer = new PolicyEnforcer(defaultPolicies(contractText('policies.json')));
const contract = parsePythonJson(contractText('schemas.json')) as unknown as Record<
  'schemas' | 'parameter_types',
  Record<string, PythonDict>
>;
const fieldRules: Record<string, string> = { container: 'container:get_one', capsule: 'capsule:get', registry: 'registry:get_one' };
const rolesOf: Record<string, string[]> = {
  none: [],
  reader: ['reader'],
  member: ['member', 'reader'],
  admin: ['admin', 'member', 'reader'],
};

/** Who may do what, what requests may look like, and secrets. */
export const policyFamilies: Record<string, VectorFamily> = {
  policy_decisions: family<{ rule: string; roles: string[]; own_project: boolean }>(({ rule, roles, own_project }) =>
    enforcer.allows(contextOf(roles), rule, { project_id: own_project ? 'own' : 'other', user_id: 'user' }),
  ),
  view_fields: family<{ view: string; role: string }>(({ view, role }, { $tables }) => {
    const { keys } = $tables as { keys: Record<string, string[]> };
    const shows = (field: string) =>
      enforcer.allows(contextOf(rolesOf[role] ?? []), `${fieldRules[view]}:${field}`, undefined, { mightNotExist: true });
    return (keys[view] ?? []).filter(shows);
  }),
  crypt: family<{ token: string | null; key: string }>(({ token, key }) => (token === null ? null : new Fernet(key).decrypt(token))),
  parameter_types: family<SchemaInput>(checked, { exact: true }),
  schema_cases: family<SchemaInput>(checked, { exact: true }),
};

interface SchemaInput {
  type?: string;
  schema?: string;
  value: PythonValue;
}

function checked({ type, schema, value }: SchemaInput): true {
  const compiled = type
    ? compileSchema({ type: 'object', properties: { x: contract.parameter_types[type] ?? {} } })
    : compileSchema(contract.schemas[schema ?? ''] ?? {});
  const failure = compiled(type ? { x: value } : value);
  if (failure) throw schemaValidationError(failureDetail(failure, 'body'));
  return true;
}

function contextOf(roles: string[]): PolicyContext {
  const caller = { userId: 'user', projectId: 'own', roles };
  return { ...caller, isAdmin: enforcer.isAdmin(caller) };
}
