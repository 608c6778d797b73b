import type { Ids } from '../telemetry/ids.ts';

const LETTERS =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega'.split(' ');
const HIGHEST_NUMBER = 24;

/** A name for a container that was given none: `beta-7-container`. Origin: zun/common/name_generator.py and the create handler. */
export function generateContainerName(ids: Ids): string {
  const letter = LETTERS[ids.below(LETTERS.length)] ?? LETTERS[0];
  return `${letter}-${ids.below(HIGHEST_NUMBER) + 1}-container`;
}
