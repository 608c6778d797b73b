import { type Authorizer, ownTarget } from '../../api/authorizer.ts';
import type { RequestContext } from '../../api/request-context.ts';
import { externalNetworkAttachForbidden } from '../../errors/catalogue.ts';
import type { RequestedNetwork } from './requested-network.ts';

/**
 * Refuses (403) external networks to those who may not attach to them. Origin: zun/common/utils.py (check_external_network_attach).
 */
export function requireExternalAllowed(policy: Authorizer, context: RequestContext, requested: RequestedNetwork[]): void {
  const external = requested.find((network) => network.external);
  if (external && !policy.allows(context, 'network:attach_external_network', ownTarget(context))) {
    throw externalNetworkAttachForbidden(external.networkId);
  }
}
