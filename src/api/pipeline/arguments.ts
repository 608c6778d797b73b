import { schemaValidationError } from '../../errors/catalogue.ts';
import type { PipelineStep } from './exchange.ts';

/**
 * Takes the arguments of the path that it leaves out from query and body, by name. Without one, the request is refused; the
 * original answers 500. Comes after the schemas, which see them too.
 */
export const argumentsStep: PipelineStep = ({ match, params }) => {
  for (const name of match?.unbound ?? []) {
    const value = params[name];
    if (typeof value !== 'string' || value === '') throw schemaValidationError(`'${name}' is a required property`);
    if (match) match.path[name] = value;
  }
  return undefined;
};
