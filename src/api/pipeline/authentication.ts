import { serviceUnavailable } from '../../errors/catalogue.ts';
import type { Identity, TokenIdentity } from '../../identity/identity.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { EdgeError } from '../edge-error.ts';
import { anonymousContext, type RequestContext } from '../request-context.ts';
import type { PipelineStep } from './exchange.ts';

/** The rules in force, as far as a context depends on them. */
export interface AdminPolicy {
  /** Reads a changed policy file before the request is judged. */
  refresh(): Promise<void>;
  /** What `context_is_admin` says. */
  isAdmin(context: RequestContext): boolean;
}

export interface AuthenticationOptions {
  identity: Identity;
  policy: AdminPolicy;
  /** For `WWW-Authenticate`. */
  identityUrl: string;
  /** Paths without a trailing slash that need no token; `/` and `/v1` unless said. */
  publicPaths?: string[];
  logger: Logger;
}

/** Turns the token into a context; `/` and `/v1` are public. Comes before version and routing, as keystonemiddleware does. */
export function authenticationStep(options: AuthenticationOptions): PipelineStep {
  const publicPaths = new Set(options.publicPaths ?? ['/', '/v1']);
  // Nothing is there: the original lets it through to say so.
  if (publicPaths.has('/')) publicPaths.add('/.json');
  return async (exchange) => {
    if (publicPaths.has(`/${exchange.segments.join('/')}`)) {
      exchange.context = anonymousContext(exchange.requestId);
      return undefined;
    }
    const token = exchange.headers['x-auth-token'];
    const identity = token ? await validate(options, token) : null;
    if (!identity) throw new EdgeError(401, '', { 'www-authenticate': `Keystone uri="${options.identityUrl}"` });
    await options.policy.refresh();
    const context = contextOf(identity, exchange.requestId);
    exchange.context = { ...context, isAdmin: options.policy.isAdmin(context) };
    return undefined;
  };
}

async function validate(options: AuthenticationOptions, token: string): Promise<TokenIdentity | null> {
  try {
    return await options.identity.validate(token);
  } catch (error) {
    options.logger.error({ err: error }, 'the identity service cannot be asked');
    throw serviceUnavailable('The Keystone service is temporarily unavailable.');
  }
}

function contextOf(identity: TokenIdentity, requestId: string): RequestContext {
  const { userId, userName, projectId, projectName, userDomainId, projectDomainId, roles } = identity;
  return { requestId, userId, userName, projectId, projectName, userDomainId, projectDomainId, roles, isAdmin: false };
}
