import type { RouteRow } from '../operation.ts';
import { integer, type JsonSchema, listOf, objectOf, ref, text } from './json-schema.ts';

/** What refusals hold. 401 has Keystone's form, as the original's token middleware answers. */
export const refusalSchemas: Record<string, JsonSchema> = {
  ErrorDocument: objectOf({
    errors: {
      ...listOf(
        objectOf({
          request_id: text,
          code: { type: 'string', description: '`container.` and what the matter is, such as `container.container-not-found`.' },
          status: integer,
          title: { type: 'string', description: 'The sentence for the user.' },
          detail: { type: ['string', 'null'] },
          links: { type: 'array' },
        }),
      ),
      minItems: 1,
      maxItems: 1,
    },
  }),
  Unauthorized: objectOf({ error: objectOf({ code: integer, title: text, message: text }) }),
};

const descriptions: Record<number, string> = {
  400: 'A parameter or the body is not as it has to be; the text says which, and why.',
  401: 'There is no token, or it is not valid.',
  403: 'The policy does not let this caller do it.',
  404: 'There is no such thing, or it is of another project.',
  406: 'This version of the API is not served, or does not have the operation.',
  409: 'The state of the thing does not allow it, its name means several, or this installation does not do it.',
  413: 'The body is too large.',
  415: 'The content type is not one that the operation reads.',
  500: 'A defect of the service; the text has the id under which its log tells more.',
  503: 'Something that the service needs does not answer; try again.',
};

const names: Record<number, string> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  406: 'NotAcceptable',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

/** The responses of refusals, once for all operations. */
export const refusalResponses: Record<string, JsonSchema> = Object.fromEntries(
  Object.entries(names).map(([status, name]) => [
    name,
    {
      description: descriptions[Number(status)],
      content: { 'application/json': { schema: ref(name === 'Unauthorized' ? 'Unauthorized' : 'ErrorDocument') } },
    },
  ]),
);

/** The refusals that a route's row tells of, and those that are its own. */
export function refusalsOf(row: RouteRow, own: readonly number[], hasBody: boolean): Record<string, JsonSchema> {
  const statuses = new Set([500, ...own]);
  if (row.path.startsWith('/v1')) statuses.add(406);
  if (row.auth) for (const status of [400, 401, 403, 503]) statuses.add(status);
  if (row.path.includes('{')) statuses.add(404);
  if (row.content_types) statuses.add(415);
  if (hasBody) statuses.add(413);
  const sorted = [...statuses].sort((a, b) => a - b);
  return Object.fromEntries(sorted.map((status) => [String(status), { $ref: `#/components/responses/${names[status]}` }]));
}
