import { conflict } from '../errors/catalogue.ts';

/** A network as Neutron describes it, as far as the choice reads it. */
export interface NeutronNetwork {
  id: string;
  tenant_id: string;
  shared: boolean;
  /** ISO 8601. */
  created_at: string;
}

/**
 * The network of a container that asks for none: the project's oldest own one, or else the oldest that is shared; Conflict (409) when
 * there is neither. Origin: zun/network/neutron.py (get_available_network).
 */
export function availableNetwork<Network extends NeutronNetwork>(networks: readonly Network[], projectId: string): Network {
  const own = networks.filter((network) => network.tenant_id === projectId && !network.shared);
  const usable = own.length > 0 ? own : networks.filter((network) => network.shared);
  const [oldest] = [...usable].sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
  if (!oldest) throw conflict('There is no neutron network available');
  return oldest;
}
