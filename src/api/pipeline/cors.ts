import type { PipelineStep } from './exchange.ts';

const exposedHeaders = 'X-Auth-Token,X-Subject-Token,X-Service-Token,X-OpenStack-Request-ID,X-Server-Management-Url';
const methods = new Set(['GET', 'PUT', 'POST', 'DELETE', 'PATCH']);
/** The original's defaults, and OpenStack-API-Version, which its list leaves out so that browsers cannot send it. */
const allowedHeaders = new Set(
  [
    'X-Auth-Token',
    'X-Identity-Status',
    'X-Roles',
    'X-Service-Catalog',
    'X-User-Id',
    'X-Tenant-Id',
    'X-OpenStack-Request-ID',
    'X-Server-Management-Url',
    'OpenStack-API-Version',
    'Accept',
    'Accept-Language',
    'Content-Type',
    'Cache-Control',
    'Content-Language',
    'Expires',
    'Last-Modified',
    'Pragma',
  ].map((name) => name.toLowerCase()),
);

/** Answers preflights and marks answers for allowed origins. OPTIONS needs no token. Origin: oslo.middleware cors. */
export function corsStep(allowedOrigins: string[]): PipelineStep {
  return (exchange) => {
    const origin = exchange.headers.origin;
    const allowed = origin !== undefined && (allowedOrigins.includes(origin) || allowedOrigins.includes('*'));
    if (exchange.method === 'OPTIONS') return { status: 200, body: '', headers: allowed ? preflight(exchange.headers, origin) : {} };
    if (allowed) {
      exchange.replyHeaders['access-control-allow-origin'] = origin;
      exchange.replyHeaders['access-control-allow-credentials'] = 'true';
      exchange.replyHeaders['access-control-expose-headers'] = exposedHeaders;
      exchange.replyHeaders.vary = 'Origin';
    }
    return undefined;
  };
}

function preflight(headers: Record<string, string | undefined>, origin: string): Record<string, string> {
  const method = headers['access-control-request-method'] ?? '';
  const wanted = (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (!methods.has(method) || !wanted.every((name) => allowedHeaders.has(name.toLowerCase()))) return {};
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-max-age': '3600',
    'access-control-allow-methods': method,
    ...(wanted.length > 0 ? { 'access-control-allow-headers': wanted.join(',') } : {}),
  };
}
