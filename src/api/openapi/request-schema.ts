import type { JsonSchema } from './json-schema.ts';

/**
 * A request schema of the contract, draft 4, as OpenAPI 3.1 has it: without `unicode`, a type of Python 2, and with patterns that
 * JavaScript reads as Python does. Bounds of numbers also hold for text that is a number, which JSON Schema can't say.
 */
export function requestSchema(schema: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([keyword, argument]) => [keyword, converted(keyword, argument)]));
}

function converted(keyword: string, argument: unknown): unknown {
  if (keyword === 'type' && Array.isArray(argument)) return argument.filter((name) => name !== 'unicode');
  // A `-` between a range and another character is itself to Python; the Unicode mode of JavaScript wants it escaped.
  if (keyword === 'pattern' && typeof argument === 'string') return argument.replaceAll(/(?<=\w-\w)-(?=[^\]])/g, '\\-');
  if (keyword === 'enum' || keyword === 'required') return argument;
  if (Array.isArray(argument)) return argument.map((member) => (isSchema(member) ? requestSchema(member) : member));
  if (keyword === 'properties' || keyword === 'patternProperties') return namedSchemas(argument);
  return isSchema(argument) ? requestSchema(argument) : argument;
}

/** Under names of the user's, which may be called as keywords are. */
function namedSchemas(argument: unknown): unknown {
  if (!isSchema(argument)) return argument;
  return Object.fromEntries(Object.entries(argument).map(([name, member]) => [name, isSchema(member) ? requestSchema(member) : member]));
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null && !Array.isArray(value);
