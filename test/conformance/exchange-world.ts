import { ZunError } from '../../src/errors/zun-error.ts';
import type { Inventory } from '../../src/scheduling/inventory.ts';
import type { RecordedExchange, RecordedIdentity } from './record.ts';
import { recordedIdentity } from './recorded-identity.ts';
import { mockedNetworking } from './recorded-networking.ts';
import { recordedImages, recordedRuntime } from './recorded-node.ts';
import { mockedVolumes } from './recorded-volumes.ts';
import { partialPort, type World } from './world.ts';

/** The node on which everything is placed that the record's mocked compute API placed nowhere. */
export const placingNode = { hostname: 'placed', rp_uuid: '00000000-0000-4000-8000-00000000000a' };

/** The world of an exchange: identity, node, Neutron and Cinder as the test had mocked them. */
export function exchangeWorld(exchange: RecordedExchange): World {
  const ask = (method: string): unknown => {
    const call = exchange.compute.find((candidate) => candidate.method === method);
    if (call?.raises?.code) throw new ZunError(call.raises.$exception, call.raises.code, call.raises.message);
    if (call?.raises) throw new Error(`${call.raises.$exception} of ${method}`);
    return call?.returns;
  };
  return {
    identity: recordedIdentity(() => exchange.identity ?? testIdentity),
    runtime: recordedRuntime(ask),
    images: recordedImages(ask),
    networking: mockedNetworking(exchange),
    volumes: mockedVolumes(exchange),
    inventory: roomyNode,
  };
}

/** The context of the original's tests, where the handler was not reached. */
const testIdentity: RecordedIdentity = { user_id: 'fake_user', project_id: 'fake_project', roles: [''] };

const roomyNode: Inventory = partialPort<Inventory>('inventory', {
  candidates: async (resources) => [{ resourceProviderUuid: placingNode.rp_uuid, resources }],
  claim: async () => true,
  resize: async () => true,
  release: async () => {},
});
