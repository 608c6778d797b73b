import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadExactVectors } from '../../test/contract/vectors.ts';
import { ZunError } from '../errors/zun-error.ts';
import { contractSchemas } from '../programs/contract-file.ts';
import { compileSchema } from './compile-schema.ts';
import { compileSchemas } from './compile-schemas.ts';
import { schemaPart } from './contract-schemas.ts';
import { mixedParams } from './mixed-params.ts';
import type { PythonDict, PythonValue } from './python-value.ts';
import type { SchemaLimits } from './schema-limits.ts';
import { failureDetail } from './validation-failure.ts';

const DEFAULT_LIMITS: SchemaLimits = {
  minimumCpus: 0.1,
  maximumCpus: 16,
  minimumMemory: 4,
  maximumMemory: 8192,
  minimumDisk: 1,
  maximumDisk: 160,
  imageDrivers: ['glance', 'docker'],
};

interface Case {
  in: { type?: string; schema?: string; value: PythonValue };
  error?: { message?: string; first_line?: string };
}

const { schemas: recorded, parameterTypes } = contractSchemas();

function detailOf(vector: Case): string | null {
  const { type, schema, value } = vector.in;
  const check = type
    ? compileSchema({ type: 'object', properties: { x: schemaPart(parameterTypes[type], type) } })
    : compileSchema(schemaPart(recorded[schema ?? ''], `schema ${schema}`));
  const failure = check(type ? { x: value } : value);
  return failure && failureDetail(failure, 'body');
}

const casesOf = (family: string) => loadExactVectors(family).cases as unknown as Case[];

describe('request schemas', () => {
  test('every parameter type takes and refuses what the original does, with its first line', () => {
    const cases = casesOf('parameter_types');
    assert.equal(cases.length, 2750);
    for (const vector of cases) {
      const firstLine = detailOf(vector)?.split('\n')[0] ?? null;
      assert.equal(firstLine, vector.error?.first_line ?? null, JSON.stringify(vector.in));
    }
  });

  test('structured values are refused with the whole text of the original', () => {
    const cases = casesOf('schema_cases');
    assert.equal(cases.length, 77);
    for (const vector of cases) {
      assert.equal(detailOf(vector), vector.error?.message ?? null, JSON.stringify(vector.in));
    }
  });

  test('every schema compiles (two of the 34 are only shared properties), and a broken one is refused with class, status and code', () => {
    const schemas = compileSchemas(contractSchemas(), DEFAULT_LIMITS);
    assert.equal(schemas.names.length, 32);
    assert.throws(
      () => schemas.validateBody('containers.container_create', {}),
      (error) =>
        error instanceof ZunError &&
        error.status === 400 &&
        error.code === 'container.schema-validation-error' &&
        error.message === "'image' is a required property",
    );
  });

  test("the operator's bounds replace the recorded ones, in containers and capsules, but not in quotas", () => {
    const schemas = compileSchemas(contractSchemas(), { ...DEFAULT_LIMITS, maximumCpus: 2, maximumMemory: 64, imageDrivers: ['docker'] });
    const create = (members: PythonDict) => () => schemas.validateBody('containers.container_create', { image: 'busybox', ...members });
    assert.throws(create({ cpu: 3 }), /3 is greater than the maximum of 2\.0\n/);
    assert.throws(create({ memory: '128' }), /128 is greater than the maximum of 64\n/);
    assert.throws(create({ image_driver: 'glance' }), /'glance' is not one of \['docker', None, 'None'\]/);
    const resources = { requests: { cpu: 3 } };
    const template = { kind: 'capsule', metadata: {}, spec: { containers: [{ image: 'busybox', resources }] } };
    assert.throws(() => schemas.validateBody('capsules.capsule_create', { template }), /3 is greater than the maximum of 2\.0\n/);
    assert.doesNotThrow(() => schemas.validateBody('quotas.query_param_update', { cpu: 3000 }));
  });

  test('query parameters have their own lead, and a repeated one is a list', () => {
    const schemas = compileSchemas(contractSchemas(), DEFAULT_LIMITS);
    assert.throws(() => schemas.validateQuery('services.query_param_enable', mixedParams('host=a&binary=b&host=c')), {
      message: /^Invalid input for query parameters 'host'\. Value: '\['a', 'c'\]'\. \['a', 'c'\] is not of type 'string'\n/,
    });
  });

  test('a keyword or format that is not known is refused when compiled, not passed over', () => {
    assert.throws(() => compileSchema({ multipleOf: 2 }), /multipleOf/);
    assert.throws(() => compileSchema({ format: 'date' }), /'date'/);
    assert.throws(() => compileSchema({ constructor: 1 }), /constructor/);
  });
});
