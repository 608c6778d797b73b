import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import type { Queries } from '../../../db/database.ts';
import { conflict, imageAlreadyExists, invalidValue } from '../../../errors/catalogue.ts';
import { imageRepository } from '../../../rules/image-repository.ts';
import { requireImageName } from '../../../rules/require-image-name.ts';
import { isUuidLike } from '../../../rules/uuid-like.ts';
import { databaseTime } from '../../../telemetry/database-time.ts';
import { findComputeNodes } from '../../hosts/compute-node-store.ts';
import type { ImageServices } from '../image-services.ts';
import { imageExists, insertImage } from '../image-store.ts';
import { imageView } from '../image-view.ts';
import { type PullPayload, pullDeadlineSeconds } from '../sagas/pull.ts';

/** The part of the body its schema has let through. */
interface ImageBody {
  repo: string;
  host: string;
  image_id?: string | null;
  size?: string | number | null;
}

/**
 * Asks a host to pull an image: 202 once row and task are committed together. A malformed name is refused with 400, where the
 * original answers 500; how a pull ends is told in `sagas/pull.ts`. Origin: zun/api/controllers/v1/images.py (post).
 */
export function pullImage(services: ImageServices): Operation {
  const { policy, database, tasks, taskSignal, clock, ids, settings } = services;
  return {
    route: 'POST /v1/images',
    async handle({ context, params, baseUrl }) {
      policy.authorize(context, 'image:pull', ownTarget(context));
      const body = params as unknown as ImageBody;
      const host = await hostnameOf(database.queries, body.host);
      requireImageName(body.repo, 'repo');
      const { repo, tag } = imageRepository(body.repo, { driver: settings.defaultImageDriver, defaultRegistry: settings.defaultRegistry });
      const now = clock.now();
      const uuid = ids.uuid();
      const row = {
        uuid,
        project_id: context.projectId,
        user_id: context.userId,
        repo,
        tag,
        host,
        image_id: body.image_id ?? null,
        size: body.size == null ? null : String(body.size),
        created_at: databaseTime(now),
        updated_at: null,
      };
      const payload: PullPayload = { repo, tag, host };
      const deadline = now + pullDeadlineSeconds * 1000;
      await database.transaction(async (transaction) => {
        if (await imageExists(transaction, repo, tag, host)) throw imageAlreadyExists(repo, tag);
        await insertImage(transaction, row);
        const { requestId, projectId } = context;
        await tasks.enqueue(transaction, { kind: 'image.pull', subject: uuid, projectId, requestId, actionId: null, payload, deadline });
      });
      taskSignal.wake();
      return { status: 202, body: imageView(row, baseUrl), headers: { location: `${baseUrl}/v1/images/${uuid}` } };
    },
  };
}

async function hostnameOf(queries: Queries, ident: string): Promise<string> {
  const found = await findComputeNodes(queries, isUuidLike(ident) ? { uuid: ident } : { hostname: ident });
  if (found.length > 1) throw conflict('Multiple compute nodes exist with same hostname. Please use the uuid instead.');
  const [node] = found;
  if (!node) throw invalidValue(`The host ${ident} does not exist.`);
  return node.hostname;
}
