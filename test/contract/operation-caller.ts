import type { Operation, Reply, RouteRow } from '../../src/api/operation.ts';
import type { RequestContext } from '../../src/api/request-context.ts';
import { Router, segmentsOf } from '../../src/api/router.ts';
import { ZunError } from '../../src/errors/zun-error.ts';
import { contractSchemas } from '../../src/programs/contract-file.ts';
import { compileSchemas } from '../../src/validation/compile-schemas.ts';
import { mixedParams } from '../../src/validation/mixed-params.ts';
import type { PythonValue } from '../../src/validation/python-value.ts';
import { contractText } from './vectors.ts';

/** A caller by name: the admin of `admin-project`, or a member of its own project. */
export function callerContext(name: 'admin' | 'demo' | 'other'): RequestContext {
  const admin = name === 'admin';
  return {
    requestId: 'req-00000000-0000-4000-8000-000000000000',
    userId: `${name}-user`,
    userName: name,
    projectId: `${name}-project`,
    projectName: name,
    userDomainId: 'default',
    projectDomainId: 'default',
    roles: admin ? ['admin', 'member', 'reader'] : ['member', 'reader'],
    isAdmin: admin,
  };
}

/**
 * Calls operations as the edge does, from routing on: schemas, then the handler. Refusals come back as replies with
 * the error's status and `{ code, message }`; any other error is thrown.
 */
export function operationCaller(operations: Operation[]) {
  const { routes } = JSON.parse(contractText('routes.json')) as { routes: RouteRow[] };
  const router = new Router(routes, operations);
  const schemas = compileSchemas(contractSchemas(), {
    minimumCpus: 0.1,
    maximumCpus: 16,
    minimumMemory: 4,
    maximumMemory: 8192,
    minimumDisk: 1,
    maximumDisk: 160,
    imageDrivers: ['glance', 'docker'],
  });
  return async (caller: 'admin' | 'demo' | 'other', request: string, body: Record<string, PythonValue> = {}): Promise<Reply> => {
    const [method = '', url = ''] = request.split(' ');
    const [path = '', rawQuery = ''] = url.split('?');
    const found = router.resolve(method, segmentsOf(path).map(decodeURIComponent));
    if (found.kind !== 'found') throw new Error(`${request}: ${found.kind}`);
    const endpoint = found.match.endpoints.at(-1);
    if (!endpoint) throw new Error(`${request}: no endpoint`);
    const query = mixedParams(rawQuery);
    const params = { ...query, ...body };
    try {
      if (endpoint.row.query_schema) schemas.validateQuery(endpoint.row.query_schema, query);
      if (endpoint.row.body_schema) schemas.validateBody(endpoint.row.body_schema, params);
      const context = callerContext(caller);
      return await endpoint.operation.handle({ context, version: 40, path: found.match.path, query, params, baseUrl: 'http://h:1' });
    } catch (error) {
      if (error instanceof ZunError) return { status: error.status, body: { code: error.code, message: error.message } };
      throw error;
    }
  };
}
