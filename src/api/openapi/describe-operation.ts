import { maximumMinor, minimumMinor, minorOf, versionText } from '../api-version.ts';
import type { RouteRow } from '../operation.ts';
import { type JsonSchema, ref, text } from './json-schema.ts';
import { type OperationNotes, operationNotes } from './operation-notes.ts';
import { refusalsOf } from './refusals.ts';
import { requestSchema } from './request-schema.ts';

/** One operation of the document, from the rows of all its version ranges. Throws when it has no notes. */
export function describeOperation(route: string, rows: RouteRow[], schemas: Record<string, JsonSchema>): JsonSchema {
  const notes = operationNotes[route];
  const [row] = rows.slice(-1);
  if (!notes || !row) throw new Error(`${route} has no notes for the OpenAPI document`);
  const body = requestBody(notes, row, rows);
  const ranges = rows.map((each) => rangeOf(each, notes));
  return {
    operationId: operationId(row),
    summary: notes.summary,
    description: descriptionOf(row, rows, schemas),
    tags: [row.path.split('/')[2] || 'versions'],
    ...(row.auth ? {} : { security: [] }),
    'x-openstack-versions': ranges,
    ...(row.policies.length > 0 ? { 'x-openstack-policies': [...new Set(rows.flatMap(({ policies }) => policies))] } : {}),
    parameters: [...pathParameters(row), ...queryParameters(notes, row, schemas), versionParameter(rows)],
    ...(body ? { requestBody: body } : {}),
    responses: { [String(row.success)]: success(notes, row), ...refusalsOf(row, notes.refusals ?? [], body !== null) },
  };
}

/** `GET /v1/containers/{container_ident}/logs` → `get-containers-container_ident-logs`. */
function operationId({ method, path }: RouteRow): string {
  const words = path.split(/[/{}]+/).filter((word) => word !== '' && word !== 'v1');
  return [method.toLowerCase(), ...(words.length > 0 ? words : [path === '/' ? 'versions' : 'version'])].join('-');
}

function rangeOf(row: RouteRow, notes: OperationNotes): JsonSchema {
  return {
    min: row.min ?? versionText(minimumMinor),
    max: row.max ?? versionText(maximumMinor),
    ...(row.body_schema && !notes.bodyInQuery ? { request: ref(row.body_schema) } : {}),
    response: alternatives(answersOf(notes, row)),
  };
}

function descriptionOf(row: RouteRow, rows: RouteRow[], schemas: Record<string, JsonSchema>): string {
  const [first] = rows;
  const sentences = [`Versions ${first?.min ?? versionText(minimumMinor)} to ${row.max ?? versionText(maximumMinor)}.`];
  if (rows.length > 1)
    sentences.push(
      `It changed with ${rows
        .slice(1)
        .map(({ min }) => min)
        .join(', ')}: see \`x-openstack-versions\`.`,
    );
  if (schemas[row.query_schema ?? '']?.oneOf) sentences.push('Exactly one of the parameters that name the thing is wanted.');
  return sentences.join(' ');
}

/** Versions that serve the operation. Left out, the version is 1.1: where that does not do, the header is required. */
function versionParameter(rows: RouteRow[]): JsonSchema {
  const [first, last] = [rows[0]?.min ?? versionText(minimumMinor), rows.at(-1)?.max ?? versionText(maximumMinor)];
  const minors = Array.from({ length: minorOf(last) - minorOf(first) + 1 }, (_, index) => versionText(minorOf(first) + index));
  const isNewest = minorOf(last) === maximumMinor;
  return {
    name: 'OpenStack-API-Version',
    in: 'header',
    required: minorOf(first) > minimumMinor,
    description: 'The version of the API that the request speaks; 1.1 when it is left out.',
    schema: { type: 'string', enum: [...minors.map((version) => `container ${version}`), ...(isNewest ? ['container latest'] : [])] },
  };
}

function pathParameters(row: RouteRow): JsonSchema[] {
  return [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }));
}

function queryParameters(notes: OperationNotes, row: RouteRow, schemas: Record<string, JsonSchema>): JsonSchema[] {
  const parameters = new Map<string, JsonSchema>();
  const add = (name: string, required: boolean, schema: JsonSchema) => parameters.set(name, { name, in: 'query', required, schema });
  for (const [name, need] of Object.entries(notes.query ?? {})) add(name, need === 'required', text);
  const schemaName = notes.bodyInQuery ? row.body_schema : row.query_schema;
  // What a PUT's query may hold too, its body holds: one of them is enough.
  if (schemaName !== undefined && (notes.bodyInQuery || schemaName !== row.body_schema)) {
    const { properties = {}, required = [] } = schemas[schemaName] as { properties?: Record<string, JsonSchema>; required?: string[] };
    for (const [name, schema] of Object.entries(properties)) add(name, required.includes(name), requestSchema(schema));
  }
  return [...parameters.values()];
}

/** The body of the newest range, or of one of them: a client picks by its version. */
function requestBody(notes: OperationNotes, row: RouteRow, rows: RouteRow[]): JsonSchema | null {
  if (row.path.endsWith('/put_archive')) return bodyOf({ type: 'object', properties: { data: text }, required: ['data'] });
  if (!row.body_schema || notes.bodyInQuery) return null;
  return bodyOf(alternatives([...new Set(rows.flatMap(({ body_schema }) => body_schema ?? []))]));
}

const bodyOf = (schema: JsonSchema): JsonSchema => ({ required: true, content: { 'application/json': { schema } } });

function success(notes: OperationNotes, row: RouteRow): JsonSchema {
  const answers = typeof notes.answer === 'string' || Array.isArray(notes.answer) ? [notes.answer].flat() : Object.values(notes.answer);
  if (row.success === 204) return { description: 'Done, or on its way.' };
  return {
    description: row.success === 202 ? 'Accepted: it is done in the background.' : 'Done.',
    content: { 'application/json': { schema: alternatives(answers) } },
  };
}

/** The components that a row's answers may hold. */
function answersOf({ answer }: OperationNotes, row: RouteRow): string[] {
  if (typeof answer === 'string') return [answer];
  if (Array.isArray(answer)) return [...answer];
  const begun = Object.entries(answer as Record<string, string>).filter(([version]) => minorOf(version) <= minorOf(row.max ?? '1.40'));
  return begun.slice(-1).map(([, component]) => component);
}

function alternatives(components: readonly string[]): JsonSchema {
  const [first, ...others] = components;
  return first !== undefined && others.length === 0 ? ref(first) : { anyOf: components.map(ref) };
}
