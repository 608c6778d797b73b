import type { Operation, RouteRow } from '../operation.ts';
import { type OpenapiSource, openapiDocument } from './openapi-document.ts';

/** The route of the document, which the contract does not have: the original serves none. Its path ends in `.json`, which routing drops. */
export const openapiRoute: RouteRow = {
  method: 'GET',
  path: '/v1/openapi',
  min: null,
  max: null,
  auth: false,
  success: 200,
  policies: [],
};

/** `GET /v1/openapi.json`, made at the first request. Public, as the version documents are: it tells what is the same everywhere. */
export function openapiOperation(source: OpenapiSource): Operation {
  let document: unknown = null;
  return {
    route: `${openapiRoute.method} ${openapiRoute.path}`,
    handle() {
      document ??= openapiDocument(source);
      return { status: 200, body: document };
    },
  };
}
