import type { Operation } from '../../../api/operation.ts';
import { encodeFileData } from '../../../rules/file-data.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { archiveText } from '../archive-text.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { requiredText } from '../required-text.ts';
import { askRuntime } from '../runtime-refusal.ts';

/**
 * A path of a container as a tar archive, base64 from 1.25 on; 404 in the engine's words for a path that is not there.
 * Origin: containers.py (get_archive).
 */
export function getArchive(services: ContainerServices): Operation {
  return {
    route: 'GET /v1/containers/{container_ident}/get_archive',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:get_archive');
      requireState('get_archive', container);
      const path = requiredText(request.params, 'path');
      const { tar, stat } = await askRuntime(services, container, (runtime, signal) => runtime.getArchive(container.uuid, path, signal));
      return { status: 200, body: { data: request.version >= 25 ? encodeFileData(tar) : archiveText(tar), stat } };
    },
  };
}
