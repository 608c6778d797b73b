import type { NetworkInterface } from '../../../runtime/container-runtime.ts';
import { networkInterface } from '../../containers/network-interfaces.ts';
import type { CapsuleServices } from '../capsule-services.ts';

/** The capsule's ports as the runtime attaches them. */
export async function interfacesOfCapsule({ networking }: Pick<CapsuleServices, 'networking'>, uuid: string): Promise<NetworkInterface[]> {
  return Promise.all((await networking.listPorts(uuid)).map((port) => networkInterface(networking, port)));
}
