import type { PythonDict } from './python-value.ts';
import { KEYWORDS } from './schema-keywords.ts';
import type { SchemaCheck } from './validation-failure.ts';

/** Keywords that say nothing about the value. */
const ANNOTATIONS = new Set(['$schema', 'title', 'description', 'default']);

/**
 * Compiles a draft 4 schema once. Its keywords are tried in the order they are written, as Python's jsonschema does, so
 * that the first failure is the same. Throws on a keyword that is not known, instead of passing it over.
 */
export function compileSchema(schema: PythonDict): SchemaCheck {
  const rules = Object.entries(schema)
    .filter(([keyword]) => !ANNOTATIONS.has(keyword))
    .map(([keyword, argument]) => {
      const compile = Object.hasOwn(KEYWORDS, keyword) ? KEYWORDS[keyword] : undefined;
      if (!compile) {
        throw new Error(`schema keyword ${keyword} is not supported`);
      }
      return { keyword, check: compile(argument, { schema, compileSchema }) };
    });

  return (instance) => {
    for (const { keyword, check } of rules) {
      const found = check(instance);
      if (typeof found === 'string') {
        return { message: found, instance, path: [], keyword, schema, schemaPath: [keyword] };
      }
      if (found) {
        found.schemaPath.unshift(keyword);
        return found;
      }
    }
    return null;
  };
}
