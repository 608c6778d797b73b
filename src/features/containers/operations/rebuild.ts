import type { ApiRequest, Operation } from '../../../api/operation.ts';
import { conflict, invalidValue } from '../../../errors/catalogue.ts';
import { requireImageDriver } from '../../../rules/image-driver.ts';
import { requireImageName } from '../../../rules/require-image-name.ts';
import { requireState } from '../../../rules/valid-states.ts';
import type { Container } from '../container.ts';
import type { ContainerServices } from '../container-services.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized } from '../load-container.ts';
import { networksOf } from '../networks-of.ts';
import type { RequestedNetwork } from '../requested-network.ts';
import { requestedNetworks } from '../requested-networks.ts';
import { type RebuildPayload, rebuildDeadlineSeconds } from '../sagas/rebuild.ts';

/**
 * Makes a container's workload anew, from its own image or another, with the ports and volumes it has. It runs again if it
 * ran. A bad image name is 400 at once. Origin: containers.py (rebuild).
 */
export function rebuild(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/rebuild',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:rebuild');
      requireState('rebuild', container);
      if (container.host === null) {
        throw conflict(`Container ${container.uuid} has no host, so there is nothing to rebuild it on: delete it and create it again.`);
      }
      const source = requestedSource(services, request.params);
      const { image, imageDriver } = container;
      const payload: RebuildPayload = {
        run: container.status === 'Running',
        networks: await networksToTakeOver(services, request, container),
        newVolumes: {},
        previous: { image, imageDriver },
      };
      await services.database.transaction((queries) =>
        enqueueAction(services, queries, request.context, container, {
          kind: 'container.rebuild',
          action: 'rebuild',
          payload,
          deadlineSeconds: rebuildDeadlineSeconds,
          changes: { ...source, status: 'Rebuilding', statusReason: null, taskState: 'container_rebuilding' },
        }),
      );
      services.taskSignal.wake();
      return { status: 202 };
    },
  };
}

/** A container that never had a workload has no network either, and gets the default one: what it asked for is not kept. */
async function networksToTakeOver(services: ContainerServices, { context }: ApiRequest, container: Container): Promise<RequestedNetwork[]> {
  const networks = networksOf(container);
  if (networks.length > 0 || container.containerId !== null) return networks;
  return requestedNetworks(services.networking, { ...context, projectId: container.projectId }, []);
}

/** `image` and `image_driver` as far as they are given: the original looks at no others. */
function requestedSource(services: ContainerServices, params: Record<string, unknown>): Partial<Pick<Container, 'image' | 'imageDriver'>> {
  const { image, image_driver: driver } = params;
  const source: Partial<Pick<Container, 'image' | 'imageDriver'>> = {};
  if (driver) {
    requireImageDriver(String(driver), services.settings.imageDrivers);
    source.imageDriver = String(driver);
  }
  if (image) {
    if (typeof image !== 'string' || image.length > 255)
      throw invalidValue('Invalid value for image: a name of at most 255 characters is wanted.');
    requireImageName(image);
    source.image = image;
  }
  return source;
}
