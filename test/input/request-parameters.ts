import type { RouteRow } from '../../src/api/operation.ts';
import { contractText } from '../contract/vectors.ts';

/** The rows of the contract whose operations there are, newest version range of each first. */
export const routes: (RouteRow & { handler_args?: { required?: string[]; optional: string[] } })[] = JSON.parse(
  contractText('routes.json'),
).routes;

const schemas: { schemas: Record<string, { properties?: Record<string, unknown> }> } = JSON.parse(contractText('schemas.json'));

/** What the handlers read that no schema names. */
const read: Record<string, string[]> = {
  'GET /v1/containers': [
    'limit',
    'marker',
    'sort_key',
    'sort_dir',
    'all_projects',
    'name',
    'image',
    'project_id',
    'host',
    'status',
    'memory',
  ],
  'GET /v1/images': ['limit', 'marker', 'sort_key', 'sort_dir'],
  'GET /v1/hosts': ['limit', 'marker', 'sort_key', 'sort_dir'],
  'GET /v1/registries': ['limit', 'marker', 'sort_key', 'sort_dir', 'all_projects', 'name', 'domain', 'username'],
  'GET /v1/capsules': ['limit', 'marker', 'sort_key', 'sort_dir', 'all_projects'],
  'GET /v1/containers/{container_ident}/get_archive': ['path'],
  'POST /v1/containers/{container_ident}/put_archive': ['path', 'data'],
  'POST /v1/containers/{container_ident}/rebuild': ['image', 'image_driver'],
  'POST /v1/containers/{container_ident}/network_attach': ['network', 'port', 'fixed_ip'],
  'DELETE /v1/services': ['host', 'binary'],
  'GET /v1/quotas/{project_id}': ['usages'],
};

/** Every parameter that an operation reads, from the query or the body. */
export function parametersOf(row: (typeof routes)[number]): string[] {
  const named = [row.query_schema, row.body_schema].flatMap((name) => Object.keys((name && schemas.schemas[name]?.properties) || {}));
  const path = new Set([...row.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
  const args = [...(row.handler_args?.required ?? []), ...(row.handler_args?.optional ?? [])].filter((name) => !path.has(name));
  return [...new Set([...named, ...args, ...(read[`${row.method} ${row.path}`] ?? []), 'all_projects', 'unknown_parameter'])];
}
