import { RuntimeFault } from '../../runtime-fault.ts';
import type { PodSettings } from './pod-settings.ts';

type RuntimeClassSettings = Pick<PodSettings, 'runtimeClasses' | 'defaultRuntimeClass'>;

/**
 * The RuntimeClass of a runtime by its name in Zun; of `null` the default. The default class is known by its own name, too. `null` = the
 * cluster's default. Fault `invalid` for any other name. Pure.
 */
export function runtimeClass(runtime: string | null, settings: RuntimeClassSettings): string | null {
  if (runtime === null) return settings.defaultRuntimeClass;
  if (Object.hasOwn(settings.runtimeClasses, runtime)) return settings.runtimeClasses[runtime] ?? null;
  if (runtime === settings.defaultRuntimeClass) return runtime;
  const names = new Set([...Object.keys(settings.runtimeClasses), ...(settings.defaultRuntimeClass ? [settings.defaultRuntimeClass] : [])]);
  const known = names.size === 0 ? 'this cluster offers none by name' : `this cluster offers ${[...names].join(', ')}`;
  throw new RuntimeFault('invalid', `Invalid value '${runtime}' for runtime: ${known}.`);
}

/** The name that users see for what runs: the one asked for, or the one of the default, by which it can be asked for again. */
export function runtimeName(runtime: string | null, settings: RuntimeClassSettings): string | null {
  if (runtime !== null || settings.defaultRuntimeClass === null) return runtime;
  const named = Object.entries(settings.runtimeClasses).find(([, name]) => name === settings.defaultRuntimeClass);
  return named?.[0] ?? settings.defaultRuntimeClass;
}
