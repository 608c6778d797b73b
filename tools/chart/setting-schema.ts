import type { SettingRow } from '../../src/config/setting-row.ts';
import type { ValueRule } from '../../src/config/value-rule.ts';

/** A JSON Schema; helm reads drafts 4 to 2020-12. */
export type Schema = { [keyword: string]: unknown };

/** The schema of a YAML file of these settings: every key that is not one of them is refused. */
export function settingsSchema(rows: readonly SettingRow[]): Schema {
  const root = closedObject({});
  for (const row of rows) {
    const parts = row.key.split('.');
    const last = parts.pop() ?? '';
    let place = root;
    for (const part of parts) {
      const inner = (place.properties[part] as ClosedObject | undefined) ?? closedObject({});
      place.properties[part] = inner;
      place = inner;
    }
    place.properties[last] = { description: row.says, ...ruleSchema(row.rule) };
  }
  return root;
}

interface ClosedObject extends Schema {
  properties: Record<string, Schema>;
}

/** An object of these members and no other. */
export function closedObject(properties: Record<string, Schema>): ClosedObject {
  return { type: 'object', additionalProperties: false, properties };
}

/** The rule of one setting. Pattern and range are as strict as the program itself, which checks again. */
function ruleSchema(rule: ValueRule): Schema {
  switch (rule.type) {
    case 'boolean':
      return { type: 'boolean' };
    case 'list':
      return { type: 'array', items: textSchema(rule) };
    case 'map':
      return { type: 'object', additionalProperties: textSchema(rule) };
    case 'text':
      return orNull(rule, textSchema(rule));
    case 'number': {
      const { minimum, maximum, above } = rule;
      const range = { minimum, maximum, exclusiveMinimum: above };
      return orNull(rule, { type: rule.whole ? 'integer' : 'number', ...present(range) });
    }
  }
}

function textSchema({ oneOf, pattern }: { oneOf?: readonly string[]; pattern?: RegExp }): Schema {
  return { type: 'string', ...present({ enum: oneOf, pattern: pattern?.source }) };
}

function orNull({ orNull }: { orNull?: true }, schema: Schema): Schema {
  return orNull ? { ...schema, type: [schema.type, 'null'] } : schema;
}

const present = (members: Schema): Schema => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
