import { ownTarget } from '../../../api/authorizer.ts';
import type { Operation } from '../../../api/operation.ts';
import { operationNotSupported } from '../../../errors/catalogue.ts';
import { booleanFromString } from '../../../rules/boolean-from-string.ts';
import { requireImageName } from '../../../rules/require-image-name.ts';
import { stringOrNone } from '../../../rules/string-or-none.ts';
import type { ImageSearchHit } from '../../../runtime/image-store.ts';
import { orEngineRefusal } from '../engine-refusal.ts';
import type { ImageServices } from '../image-services.ts';

/**
 * Searches registries by name. Nothing of it depends on rows. A registry that can't be asked is 503 with its words (500 in the
 * original). Origin: zun/api/controllers/v1/images.py (search), zun/image/docker/driver.py (search_image).
 */
export function searchImages({ policy, images, settings }: ImageServices): Operation {
  return {
    route: 'GET /v1/images/{image}/search',
    async handle({ context, path, query }) {
      policy.authorize(context, 'image:search', ownTarget(context));
      const exactMatch = booleanFromString(query.exact_match ?? false, 'exact_match');
      const driver = stringOrNone(single(query.image_driver)) || settings.defaultImageDriver;
      if (driver !== 'docker') {
        throw operationNotSupported(`Images cannot be searched with the driver ${driver} here; use docker, or leave image_driver out.`);
      }
      const term = path.image ?? '';
      requireImageName(term);
      return { status: 200, body: (await orEngineRefusal(images.search(term, exactMatch))).map(hitView) };
    },
  };
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value.at(-1) : value);

const hitView = (hit: ImageSearchHit): unknown => ({
  name: hit.name,
  description: hit.description,
  is_automated: hit.isAutomated,
  metadata: { is_official: hit.isOfficial, star_count: hit.starCount },
});
