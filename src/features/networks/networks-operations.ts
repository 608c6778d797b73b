import type { Operation } from '../../api/operation.ts';
import type { NetworkServices } from './network-services.ts';
import { createNetwork } from './operations/create.ts';
import { deleteNetworkOperation } from './operations/delete.ts';

/** The operations of `/v1/networks`. */
export function networksOperations(services: NetworkServices): Operation[] {
  return [createNetwork(services), deleteNetworkOperation(services)];
}
