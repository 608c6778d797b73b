import { operationNotSupported } from '../../errors/catalogue.ts';
import type { ContainerRuntime, RefusableOperation } from '../../runtime/container-runtime.ts';

/** Refuses, with 409 and the runtime's own sentence, what the runtime cannot do as it is set up: before a task would find that out. */
export function requireOffered({ refuses = {} }: Pick<ContainerRuntime, 'refuses'>, operation: string): void {
  if (!Object.hasOwn(refuses, operation)) return;
  throw operationNotSupported(refuses[operation as RefusableOperation] ?? '');
}
