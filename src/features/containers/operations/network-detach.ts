import type { ApiRequest, Operation } from '../../../api/operation.ts';
import { invalid } from '../../../errors/catalogue.ts';
import type { Container } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized } from '../load-container.ts';
import { requireOffered } from '../require-offered.ts';
import { networkDeadlineSeconds } from '../sagas/network-attach.ts';
import type { NetworkDetachPayload } from '../sagas/network-detach.ts';

/** Takes a container off a network, named by itself or by a port on it. Origin: containers.py (network_detach). */
export function networkDetach(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/network_detach',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:network_detach');
      requireOffered(services.runtime, 'network_detach');
      const payload: NetworkDetachPayload = { networkId: await attachedNetwork(services, request, container) };
      await services.database.transaction((queries) =>
        enqueueAction(services, queries, request.context, container, {
          kind: 'container.network_detach',
          action: 'network_detach',
          event: 'compute__do_network_detach',
          payload,
          deadlineSeconds: networkDeadlineSeconds,
          changes: { taskState: 'network_detaching' },
        }),
      );
      services.taskSignal.wake();
      return { status: 202 };
    },
  };
}

async function attachedNetwork({ networking }: ContainerServices, request: ApiRequest, container: Container): Promise<string> {
  const { params, path } = request;
  const addresses = container.addresses ?? {};
  if (params.port) {
    const port = await networking.findPort(String(params.port), container.projectId);
    const isAttached = addresses[port.networkId]?.some((address) => address.port === port.id) ?? false;
    if (!isAttached) throw invalid(`Port '${params.port}' is not attached to container '${path.container_ident}'.`);
    return port.networkId;
  }
  const network = await networking.findNetwork(String(params.network), container.projectId);
  if (!Object.hasOwn(addresses, network.id))
    throw invalid(`Network '${params.network}' is not attached to container '${path.container_ident}'.`);
  return network.id;
}
