import { type ContractSchemas, schemaPart } from '../../validation/contract-schemas.ts';
import { plainJson } from '../../validation/plain-json.ts';
import { type SchemaLimits, withLimits } from '../../validation/schema-limits.ts';
import { maximumMinor, minimumMinor, versionText } from '../api-version.ts';
import type { RouteRow } from '../operation.ts';
import { answerSchemas } from './answer-schemas.ts';
import { describeOperation } from './describe-operation.ts';
import type { JsonSchema } from './json-schema.ts';
import { operationNotes } from './operation-notes.ts';
import { refusalResponses, refusalSchemas } from './refusals.ts';
import { requestSchema } from './request-schema.ts';

/** What the document is made from. */
export interface OpenapiSource {
  /** The rows of `contract/routes.json`. */
  routes: RouteRow[];
  contract: ContractSchemas;
  /** The operator's bounds, which the document shows. */
  limits: SchemaLimits;
}

/**
 * The OpenAPI 3.1 document of the service: one operation a path and method, whose version ranges stand in `x-openstack-versions` and in
 * its description. Pure. Throws when an operation has no notes.
 */
export function openapiDocument(source: OpenapiSource): JsonSchema {
  const schemas = requestSchemas(source);
  const routes = [...new Set(source.routes.map(({ method, path }) => `${method} ${path}`))];
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const rows = source.routes.filter(({ method, path }) => `${method} ${path}` === route);
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeOperation(route, rows, schemas) };
  }
  const withBody = source.routes.filter(({ method, path }) => !operationNotes[`${method} ${path}`]?.bodyInQuery);
  const bodies = [...new Set(withBody.flatMap(({ body_schema }) => body_schema ?? []))].sort();
  return {
    openapi: '3.1.0',
    info: {
      title: 'OpenStack Zun API',
      version: versionText(maximumMinor),
      description:
        `The container service, versions ${versionText(minimumMinor)} to ${versionText(maximumMinor)}. A request names its version in the header ` +
        '`OpenStack-API-Version: container 1.40`; without it 1.1 is answered. `docs/REST-API-HISTORY.md` tells what each version brought.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Auth-Token', description: 'A token of the identity service.' } },
      schemas: {
        ...refusalSchemas,
        ...answerSchemas,
        ...Object.fromEntries(bodies.map((name) => [name, requestSchema(schemas[name] ?? {})])),
      },
      responses: refusalResponses,
    },
  };
}

/** The contract's request schemas with the operator's bounds, by name. */
function requestSchemas({ contract: { schemas, parameterTypes }, limits }: OpenapiSource): Record<string, JsonSchema> {
  const own = (name: string) => plainJson(withLimits(schemaPart(schemas[name], name), parameterTypes, limits)) as JsonSchema;
  return Object.fromEntries(Object.keys(schemas).map((name) => [name, own(name)]));
}
