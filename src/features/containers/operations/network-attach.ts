import type { Operation } from '../../../api/operation.ts';
import { invalid } from '../../../errors/catalogue.ts';
import type { ContainerServices } from '../container-services.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized } from '../load-container.ts';
import { type NetRequest, requestedNetworks, requireAddressesFit } from '../requested-networks.ts';
import { requireExternalAllowed } from '../require-external-allowed.ts';
import { requireOffered } from '../require-offered.ts';
import { type NetworkAttachPayload, networkDeadlineSeconds } from '../sagas/network-attach.ts';

/**
 * Puts a container on one more network: one named, that of a port, or the default one. Answers 200 with nothing, before the work
 * is done, as the original does. Origin: containers.py (network_attach).
 */
export function networkAttach(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/network_attach',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:network_attach');
      requireOffered(services.runtime, 'network_attach');
      const wish = request.params as Pick<NetRequest, 'network' | 'port' | 'fixed_ip'>;
      // An admin acts with what the container's project may use.
      const owner = { ...request.context, projectId: container.projectId };
      const requested = await requestedNetworks(services.networking, owner, [wish]);
      requireExternalAllowed(services.policy, request.context, requested);
      await requireAddressesFit(services.networking, owner, requested);
      const [network] = requested;
      if (!network) throw new Error('a request for a network was answered with none');
      if (Object.hasOwn(container.addresses ?? {}, network.networkId)) throw alreadyConnected(wish, request.path.container_ident ?? '');
      const payload: NetworkAttachPayload = { network };
      await services.database.transaction((queries) =>
        enqueueAction(services, queries, request.context, container, {
          kind: 'container.network_attach',
          action: 'network_attach',
          event: 'compute__do_network_attach',
          payload,
          deadlineSeconds: networkDeadlineSeconds,
          changes: { taskState: 'network_attaching' },
        }),
      );
      services.taskSignal.wake();
      return { status: 200 };
    },
  };
}

function alreadyConnected({ network, port }: Pick<NetRequest, 'network' | 'port'>, ident: string): Error {
  if (port) {
    return invalid(
      `Cannot attach port '${port}' to container '${ident}' because another port on the same network is already attached to this container.`,
    );
  }
  return invalid(`Network '${network ?? 'None'}' is already connected to container '${ident}'.`);
}
