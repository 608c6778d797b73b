import { portBindingFailed, portInUse, portNotUsable } from '../errors/catalogue.ts';

/** A port as Neutron describes it, as far as the rule reads it. */
export interface NeutronPort {
  id: string;
  tenant_id: string;
  device_id?: string;
  status?: string;
  'binding:vif_type'?: string;
}

const takenStatuses = new Set(['ACTIVE', 'BUILD', 'ERROR']);

/**
 * Refuses (400) a user's port that a container can't have: another project's, one in use, one whose binding failed.
 * Origin: zun/network/neutron.py (ensure_neutron_port_usable).
 */
export function requireUsablePort(port: NeutronPort, projectId: string): void {
  if (port.tenant_id !== projectId) throw portNotUsable(port.id);
  if (port.device_id) throw portInUse(port.id);
  if (takenStatuses.has(port.status ?? '')) throw portNotUsable(port.id);
  if (port['binding:vif_type'] === 'binding_failed') throw portBindingFailed(port.id);
}
