import type { Operation } from '../../../api/operation.ts';
import { base64Exception, invalid } from '../../../errors/catalogue.ts';
import { decodeFileData } from '../../../rules/file-data.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { archiveBytes } from '../archive-text.ts';
import type { ContainerServices } from '../container-services.ts';
import { loadAuthorized } from '../load-container.ts';
import { requiredText } from '../required-text.ts';
import { askRuntime } from '../runtime-refusal.ts';

/**
 * Unpacks a tar archive, base64 from 1.25 on, in a folder of a container. A folder that is not there is 404, what is no tar
 * or no base64 400. Origin: containers.py (put_archive).
 */
export function putArchive(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/put_archive',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:put_archive');
      requireState('put_archive', container);
      const path = requiredText(request.params, 'path');
      const data = requiredText(request.params, 'data');
      const tar = request.version >= 25 ? decodeStrictly(data) : archiveBytes(data);
      // Docker takes no bytes for an archive of no files.
      if (tar.length === 0) throw invalid("Invalid value '' for data: it holds no tar archive.");
      await askRuntime(services, container, (runtime, signal) => runtime.putArchive(container.uuid, path, tar, signal));
      return { status: 200 };
    },
  };
}

/** The rule for files drops what is not of the alphabet; then anything would be an archive. */
function decodeStrictly(data: string): Buffer {
  if (/[^A-Za-z0-9+/=\s]/.test(data)) throw base64Exception();
  return decodeFileData(data);
}
