/** A JSON Schema of 2020-12, which OpenAPI 3.1 uses as it is. */
export type JsonSchema = { [keyword: string]: unknown };

export const text: JsonSchema = { type: 'string' };
export const textOrNull: JsonSchema = { type: ['string', 'null'] };
export const integer: JsonSchema = { type: 'integer' };
export const number: JsonSchema = { type: 'number' };
export const numberOrNull: JsonSchema = { type: ['number', 'null'] };
export const flag: JsonSchema = { type: 'boolean' };
export const textsOrNull: JsonSchema = { type: ['array', 'null'], items: text };
/** Members of the user's choice. */
export const mapOrNull: JsonSchema = { type: ['object', 'null'] };

export const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** A component of the document. */
export const ref = (component: string): JsonSchema => ({ $ref: `#/components/schemas/${component}` });

/** An object that has these members and no other; all of them but those named `optional`. */
export function objectOf(properties: Record<string, JsonSchema>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}), additionalProperties: false };
}
