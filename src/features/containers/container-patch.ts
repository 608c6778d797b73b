import { booleanFromString } from '../../rules/boolean-from-string.ts';
import type { Container } from './container.ts';

/** What a PATCH or a resize may change. */
export type ContainerPatch = Partial<Pick<Container, 'name' | 'cpu' | 'memory' | 'autoHeal'>>;

/**
 * The parameters of a PATCH as columns; those that say what the row says already are left out. `null` for cpu or memory counts
 * as absent, where the original answers 500. Origin: zun/api/controllers/v1/containers.py (patch).
 */
export function containerPatch(params: Record<string, unknown>, container: Container): ContainerPatch {
  const patch: ContainerPatch = {};
  if (isGiven(params.cpu)) patch.cpu = Number(params.cpu);
  if (isGiven(params.memory)) patch.memory = String(Number(params.memory));
  // A null name becomes Python's text of it, as recorded.
  if (params.name !== undefined) patch.name = String(params.name ?? 'None');
  if (isGiven(params.auto_heal)) patch.autoHeal = booleanFromString(params.auto_heal as string | boolean, 'auto_heal');
  return Object.fromEntries(Object.entries(patch).filter(([field, value]) => container[field as keyof ContainerPatch] !== value));
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

export const changesLimits = (patch: ContainerPatch): boolean => patch.cpu !== undefined || patch.memory !== undefined;

/** Limits as the runtime takes them; those that a container has not are left out. */
export function runtimeLimits({ cpu, memory }: Pick<ContainerPatch, 'cpu' | 'memory'>): { cpu?: number; memoryMiB?: number } {
  return {
    ...(cpu === undefined || cpu === null ? {} : { cpu }),
    ...(memory === undefined || memory === null ? {} : { memoryMiB: Number(memory) }),
  };
}
