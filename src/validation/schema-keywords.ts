import { isIPv4, isIPv6 } from 'node:net';
import { pythonEqual } from './python-equal.ts';
import { pythonNumber } from './python-number.ts';
import { pythonRegExp } from './python-regexp.ts';
import { pythonRepr } from './python-repr.ts';
import { isPythonDict, type PythonDict, PythonFloat, type PythonValue } from './python-value.ts';
import type { SchemaCheck, ValidationFailure } from './validation-failure.ts';

/** What a keyword says of a value: a sentence (the value itself fails), a failure further down, or null. */
export type KeywordCheck = (instance: PythonValue) => string | ValidationFailure | null;

/** The schema the keyword stands in, and the compiler for schemas inside of it. */
export interface KeywordContext {
  schema: PythonDict;
  compileSchema: (schema: PythonDict) => SchemaCheck;
}

export type KeywordCompiler = (argument: PythonValue, context: KeywordContext) => KeywordCheck;

/** `text.length` counts UTF-16 units; Python counts code points. */
const length = (text: string): number => [...text].length;

const TYPES: Record<string, (value: PythonValue) => boolean> = {
  array: Array.isArray,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => typeof value === 'bigint' || Number.isInteger(value),
  null: (value) => value === null,
  number: (value) => typeof value === 'number' || typeof value === 'bigint' || value instanceof PythonFloat,
  object: isPythonDict,
  string: (value) => typeof value === 'string',
};

const FORMATS: Record<string, (text: string) => boolean> = {
  ipv4: isIPv4,
  // A scope (fe80::1%eth0) is an address to Node and to Python's ipaddress, but not to jsonschema.
  ipv6: (text) => isIPv6(text) && !text.includes('%'),
};

/** One entry a draft 4 keyword that the contract uses. Sentences: jsonschema 4.26, `_keywords.py`. */
export const KEYWORDS: Record<string, KeywordCompiler> = {
  type: (argument) => {
    const names = asList(argument).map(asText);
    const expected = names.map((name) => pythonRepr(name)).join(', ');
    // `unicode`, which two schemas name, is a type of Python 2: no value is of it.
    const tests = names.flatMap((name) => TYPES[name] ?? []);
    return (instance) => (tests.some((test) => test(instance)) ? null : `${pythonRepr(instance)} is not of type ${expected}`);
  },

  enum: (argument) => {
    const allowed = asList(argument);
    return (instance) =>
      allowed.some((each) => pythonEqual(each, instance)) ? null : `${pythonRepr(instance)} is not one of ${pythonRepr(allowed)}`;
  },

  pattern: (argument) => {
    const expression = pythonRegExp(asText(argument));
    return (instance) =>
      typeof instance !== 'string' || expression.test(instance) ? null : `${pythonRepr(instance)} does not match ${pythonRepr(argument)}`;
  },

  format: (argument) => {
    const test = FORMATS[asText(argument)];
    if (!test) {
      throw new Error(`schema format ${pythonRepr(argument)} is not supported`);
    }
    return (instance) =>
      typeof instance !== 'string' || test(instance) ? null : `${pythonRepr(instance)} is not a ${pythonRepr(argument)}`;
  },

  minLength: (argument) => {
    const least = asNumber(argument);
    const complaint = least === 1 ? 'should be non-empty' : 'is too short';
    return (instance) => (typeof instance === 'string' && length(instance) < least ? `${pythonRepr(instance)} ${complaint}` : null);
  },

  maxLength: (argument) => {
    const most = asNumber(argument);
    const complaint = most === 0 ? 'is expected to be empty' : 'is too long';
    return (instance) => (typeof instance === 'string' && length(instance) > most ? `${pythonRepr(instance)} ${complaint}` : null);
  },

  minimum: (argument) => {
    const least = asNumber(argument);
    return (instance) => {
      const number = comparable(instance);
      return number !== null && numeric(number) < least
        ? `${pythonRepr(number)} is less than the minimum of ${pythonRepr(argument)}`
        : null;
    };
  },

  maximum: (argument) => {
    const most = asNumber(argument);
    return (instance) => {
      const number = comparable(instance);
      return number !== null && numeric(number) > most
        ? `${pythonRepr(number)} is greater than the maximum of ${pythonRepr(argument)}`
        : null;
    };
  },

  required: (argument) => {
    const names = asList(argument).map(asText);
    return (instance) => {
      const missing = isPythonDict(instance) ? names.find((name) => !Object.hasOwn(instance, name)) : undefined;
      return missing === undefined ? null : `${pythonRepr(missing)} is a required property`;
    };
  },

  properties: (argument, { compileSchema }) => {
    const checks = Object.entries(asDict(argument)).map(([name, schema]) => ({ name, check: compileSchema(asDict(schema)) }));
    return (instance) => {
      if (!isPythonDict(instance)) {
        return null;
      }
      for (const { name, check } of checks) {
        const failure = Object.hasOwn(instance, name) ? check(instance[name] ?? null) : null;
        if (failure) {
          return below(failure, name, name);
        }
      }
      return null;
    };
  },

  patternProperties: (argument, { compileSchema }) => {
    const checks = Object.entries(asDict(argument)).map(([pattern, schema]) => ({
      pattern,
      expression: pythonRegExp(pattern),
      check: compileSchema(asDict(schema)),
    }));
    return (instance) => {
      for (const { pattern, expression, check } of checks) {
        for (const [name, member] of isPythonDict(instance) ? Object.entries(instance) : []) {
          const failure = expression.test(name) ? check(member) : null;
          if (failure) {
            return below(failure, name, pattern);
          }
        }
      }
      return null;
    };
  },

  additionalProperties: (argument, { schema }) => {
    if (typeof argument !== 'boolean' || (!argument && schema.patternProperties !== undefined)) {
      throw new Error('additionalProperties is supported as true or false, and false not beside patternProperties');
    }
    const known = new Set(Object.keys(asDict(schema.properties ?? {})));
    return (instance) => {
      const extras = argument || !isPythonDict(instance) ? [] : Object.keys(instance).filter((name) => !known.has(name));
      if (extras.length === 0) {
        return null;
      }
      const names = extras
        .sort()
        .map((name) => pythonRepr(name))
        .join(', ');
      return `Additional properties are not allowed (${names} ${extras.length === 1 ? 'was' : 'were'} unexpected)`;
    };
  },

  items: (argument, { compileSchema }) => {
    const check = compileSchema(asDict(argument));
    return (instance) => {
      for (const [index, member] of Array.isArray(instance) ? instance.entries() : []) {
        const failure = check(member);
        if (failure) {
          return below(failure, index);
        }
      }
      return null;
    };
  },

  allOf: (argument, { compileSchema }) => {
    const checks = asList(argument).map((schema) => compileSchema(asDict(schema)));
    return (instance) => {
      for (const [index, check] of checks.entries()) {
        const failure = check(instance);
        if (failure) {
          return below(failure, undefined, index);
        }
      }
      return null;
    };
  },

  anyOf: (argument, { compileSchema }) => {
    const checks = asList(argument).map((schema) => compileSchema(asDict(schema)));
    return (instance) =>
      checks.some((check) => check(instance) === null) ? null : `${pythonRepr(instance)} is not valid under any of the given schemas`;
  },

  oneOf: (argument, { compileSchema }) => {
    const branches = asList(argument).map((schema) => ({ schema, check: compileSchema(asDict(schema)) }));
    return (instance) => {
      const [first, ...more] = branches.filter(({ check }) => check(instance) === null);
      if (!first) {
        return `${pythonRepr(instance)} is not valid under any of the given schemas`;
      }
      // jsonschema names the first that matched last.
      const matched = [...more, first].map(({ schema }) => pythonRepr(schema)).join(', ');
      return more.length > 0 ? `${pythonRepr(instance)} is valid under each of ${matched}` : null;
    };
  },

  not: (argument, { compileSchema }) => {
    const check = compileSchema(asDict(argument));
    return (instance) => (check(instance) === null ? `${pythonRepr(instance)} should not be valid under ${pythonRepr(argument)}` : null);
  },
};

function below(failure: ValidationFailure, step?: string | number, schemaStep?: string | number): ValidationFailure {
  if (step !== undefined) {
    failure.path.unshift(step);
  }
  if (schemaStep !== undefined) {
    failure.schemaPath.unshift(schemaStep);
  }
  return failure;
}

/**
 * The number bounds are compared with: a number, or a string that Python reads as one; null when bounds don't apply.
 * Origin: zun/api/validation/validators.py, _validate_minimum and _validate_maximum.
 */
function comparable(instance: PythonValue): number | bigint | PythonFloat | null {
  if (typeof instance === 'string') {
    return pythonNumber(instance);
  }
  return typeof instance === 'number' || typeof instance === 'bigint' || instance instanceof PythonFloat ? instance : null;
}

function numeric(value: number | bigint | PythonFloat): number | bigint {
  return value instanceof PythonFloat ? value.value : value;
}

function asNumber(argument: PythonValue): number {
  const value = argument instanceof PythonFloat ? argument.value : argument;
  if (typeof value !== 'number') {
    throw new Error(`schema: a number is expected, not ${pythonRepr(argument)}`);
  }
  return value;
}

function asText(argument: PythonValue): string {
  if (typeof argument !== 'string') {
    throw new Error(`schema: a string is expected, not ${pythonRepr(argument)}`);
  }
  return argument;
}

function asDict(argument: PythonValue): PythonDict {
  if (!isPythonDict(argument)) {
    throw new Error(`schema: an object is expected, not ${pythonRepr(argument)}`);
  }
  return argument;
}

function asList(argument: PythonValue): PythonValue[] {
  return Array.isArray(argument) ? argument : [argument];
}
