import { referenceInvalidFormat } from '../errors/catalogue.ts';
import { ZunError } from '../errors/zun-error.ts';
import { parseImageReference } from './image-reference.ts';

/** Refuses with 400, field, value and rule an image name of a request that no registry can have; the original finds out on the node. */
export function requireImageName(image: string, field = 'image'): void {
  try {
    parseImageReference(image);
  } catch (error) {
    if (error instanceof ZunError) throw referenceInvalidFormat(`Invalid value '${image}' for ${field}: ${error.message}.`);
    throw error;
  }
}
