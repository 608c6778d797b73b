import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { contractText } from '../../../test/contract/vectors.ts';
import { defaultSettings } from '../../config/settings.ts';
import { contractSchemas } from '../../programs/contract-file.ts';
import { compileSchema } from '../../validation/compile-schema.ts';
import { parsePythonJson } from '../../validation/python-json.ts';
import { isPythonDict, type PythonValue } from '../../validation/python-value.ts';
import type { RouteRow } from '../operation.ts';
import type { JsonSchema } from './json-schema.ts';
import { openapiDocument } from './openapi-document.ts';
import { operationNotes } from './operation-notes.ts';

interface Documented {
  operationId: string;
  parameters: JsonSchema[];
  responses: Record<string, { content?: { 'application/json': { schema: JsonSchema } } }>;
  'x-openstack-versions': { min: string; max: string; request?: JsonSchema; response: JsonSchema }[];
}

const { routes } = JSON.parse(contractText('routes.json')) as { routes: RouteRow[] };
const source = { routes, contract: contractSchemas(), limits: defaultSettings('h').limits };
const document = openapiDocument(source) as { paths: Record<string, Record<string, Documented>>; components: Record<string, object> };
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ route: `${method.toUpperCase()} ${path}`, operation })),
);

/** Everything that a `$ref` names. */
function references(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => (key === '$ref' ? [String(member)] : references(member)));
}

const lookUp = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((part, name) => (part as Record<string, unknown> | undefined)?.[name], document);

/** The schema with everything it refers to in place, as the project's own evaluator takes it. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: string };
  if ($ref !== undefined) return resolved(lookUp($ref));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, resolved(member)]));
}

const python = (value: unknown): PythonValue => parsePythonJson(JSON.stringify(value));

function checkOf(schema: JsonSchema) {
  const dict = python(resolved(schema));
  assert.ok(isPythonDict(dict));
  return compileSchema(dict);
}

describe('the OpenAPI document', () => {
  test('has every route of the contract in every version range, and notes for no other', () => {
    const wanted = routes.map(({ method, path, min, max }) => `${method} ${path} ${min ?? '1.1'} ${max ?? '1.40'}`);
    const found = documented.flatMap(({ route, operation }) =>
      operation['x-openstack-versions'].map(({ min, max }) => `${route} ${min} ${max}`),
    );
    assert.deepEqual(found.sort(), wanted.sort());
    assert.deepEqual(Object.keys(operationNotes).sort(), documented.map(({ route }) => route).sort());
    assert.equal(new Set(documented.map(({ operation }) => operation.operationId)).size, documented.length);
  });

  test('refers to nothing that it does not have, and has no component that nothing refers to', () => {
    const referred = new Set(references(document));
    for (const reference of referred) assert.ok(lookUp(reference), reference);
    const components = Object.entries(document.components).flatMap(([kind, named]) =>
      kind === 'securitySchemes' ? [] : Object.keys(named).map((name) => `#/components/${kind}/${name}`),
    );
    assert.deepEqual([...referred].sort(), components.sort());
  });

  test('names each parameter of a path, and each parameter once', () => {
    for (const { route, operation } of documented) {
      const inPath = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
      assert.deepEqual(
        inPath,
        [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name),
      );
      const names = operation.parameters.map((parameter) => parameter.name ?? parameter.$ref);
      assert.equal(new Set(names).size, names.length, route);
    }
  });

  test('has a schema for each recorded answer that the answer keeps', () => {
    const { count, refused } = replayAnswers();
    assert.deepEqual(refused, []);
    assert.ok(count > 400, String(count));
  });

  test('documents each status that was recorded, but for defects of the original', () => {
    for (const { method, path, statuses_seen } of routes as (RouteRow & { statuses_seen?: Record<string, number> })[]) {
      const { responses } = document.paths[path]?.[method.toLowerCase()] ?? assert.fail(path);
      for (const status of Object.keys(statuses_seen ?? {}))
        if (!isElsewhere(method, path, status)) assert.ok(responses[status], `${method} ${path} ${status}`);
    }
  });
});

/** Answers of the paste pipelines of tests, and of methods and paths that only look like the route. */
function isElsewhere(method: string, path: string, status: string): boolean {
  return status === '405' || (path.length <= '/v1/'.length && method === 'GET' && status !== '200');
}

/** Every recorded success against the schema of its operation, status and version. */
function replayAnswers(): { count: number; refused: string[] } {
  const refused: string[] = [];
  let count = 0;
  const records = ['exchanges.jsonl', 'probes.jsonl'].flatMap((name) => contractText(name).trim().split('\n'));
  for (const line of records) {
    const { id, request, response } = JSON.parse(line) as RecordedAnswer;
    if (response?.status === undefined || response.status >= 300 || response.json === undefined || request.method === 'HEAD') continue;
    const found = operationAt(request.method, request.path);
    const schema = found?.operation.responses[response.status]?.content?.['application/json'].schema;
    if (!found || !schema || isMadeUp(found.route, response.json)) continue;
    count += 1;
    const failure = checkOf(schema)(python(response.json));
    if (failure) refused.push(`${id} ${found.route}: ${failure.message}`);
  }
  return { count, refused };
}

/** The original's tests let a node answer nothing, or a search one image: no node and no registry does. */
function isMadeUp(route: string, json: unknown): boolean {
  if (route.endsWith('/search')) return !Array.isArray(json);
  if (route.endsWith('/get_archive') && (json as { stat?: unknown } | null)?.stat === '') return true;
  return (json === '' || json === null) && /(commit|execute|get_archive|stats|top)$/.test(route);
}

interface RecordedAnswer {
  id: string;
  request: { method: string; path: string };
  response?: { status?: number; json?: unknown };
}

function operationAt(method: string, path: string) {
  const segments = path
    .replace(/\.json$/, '')
    .split('/')
    .filter((segment) => segment !== '');
  const fitting = documented.filter(({ route }) => {
    const [routeMethod, routePath = ''] = route.split(' ');
    const pattern = routePath.split('/').filter((segment) => segment !== '');
    return (
      routeMethod === method &&
      pattern.length === segments.length &&
      pattern.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  });
  return fitting.sort((a, b) => parameterCount(a.route) - parameterCount(b.route))[0];
}

const parameterCount = (route: string): number => route.split('{').length;
