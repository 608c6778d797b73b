import type { Operation } from '../../../api/operation.ts';
import { invalidValue } from '../../../errors/catalogue.ts';
import { ZunError } from '../../../errors/zun-error.ts';
import { parseImageReference } from '../../../rules/image-reference.ts';
import { stringOrNone } from '../../../rules/string-or-none.ts';
import { requireState } from '../../../rules/valid-states.ts';
import { knownImageUuid } from '../committed-image.ts';
import type { ContainerServices } from '../container-services.ts';
import { enqueueAction } from '../enqueue-action.ts';
import { loadAuthorized } from '../load-container.ts';
import { requireOffered } from '../require-offered.ts';
import { requiredText } from '../required-text.ts';
import { type CommitPayload, commitDeadlineSeconds } from '../sagas/commit.ts';

/**
 * Makes an image of a container's filesystem by a task. A repository or tag that no image can have is 400 at once; the original
 * answers 202 and its action fails. Origin: containers.py (commit).
 */
export function commit(services: ContainerServices): Operation {
  return {
    route: 'POST /v1/containers/{container_ident}/commit',
    async handle(request) {
      const { container } = await loadAuthorized(services, request, 'container:commit');
      requireState('commit', container);
      requireOffered(services.runtime, 'commit');
      const repository = requiredText(request.params, 'repository');
      const tag = stringOrNone(request.params.tag as string | undefined) ?? 'latest';
      requireImageName(repository, tag);
      const newUuid = services.ids.uuid();
      const uuid = await services.database.transaction(async (queries) => {
        const imageUuid = (await knownImageUuid(queries, container, repository, tag)) ?? newUuid;
        const payload: CommitPayload = { repository, tag, imageUuid, host: container.host };
        await enqueueAction(services, queries, request.context, container, {
          kind: 'container.commit',
          action: 'commit',
          payload,
          deadlineSeconds: commitDeadlineSeconds,
        });
        return imageUuid;
      });
      services.taskSignal.wake();
      return { status: 202, body: { uuid } };
    },
  };
}

function requireImageName(repository: string, tag: string): void {
  const refuse = (rule: string) => invalidValue(`Invalid value '${repository}:${tag}' for repository and tag: ${rule}.`);
  try {
    const { name, tag: parsedTag, digest } = parseImageReference(`${repository}:${tag}`);
    if (name !== repository || parsedTag !== tag || digest !== null) throw refuse('the repository may name neither a tag nor a digest');
  } catch (error) {
    if (error instanceof ZunError && error.name !== 'InvalidValue') throw refuse(error.message);
    throw error;
  }
}
