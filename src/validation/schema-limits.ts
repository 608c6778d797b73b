import { pythonEqual } from './python-equal.ts';
import { isPythonDict, type PythonDict, PythonFloat, type PythonValue } from './python-value.ts';

/** Bounds that an operator sets; cpus as a decimal number, memory in MiB, disk in GiB. */
export interface SchemaLimits {
  minimumCpus: number;
  maximumCpus: number;
  minimumMemory: number;
  maximumMemory: number;
  minimumDisk: number;
  maximumDisk: number;
  imageDrivers: string[];
}

/**
 * The schema with the operator's bounds in place of the recorded defaults, wherever one of the four parameter types
 * (cpu, memory, disk, image_driver) is used. A field that only shares the name, such as a quota, is left alone.
 * Origin: zun/api/controllers/v1/schemas/parameter_types.py.
 */
export function withLimits(schema: PythonDict, parameterTypes: PythonDict, limits: SchemaLimits): PythonDict {
  const changes: [string, PythonDict][] = [
    ['cpu', { minimum: float(limits.minimumCpus), maximum: float(limits.maximumCpus) }],
    ['memory', { minimum: limits.minimumMemory, maximum: limits.maximumMemory }],
    ['disk', { minimum: limits.minimumDisk, maximum: limits.maximumDisk }],
    ['image_driver', { enum: [...limits.imageDrivers, null, 'None'] }],
  ];
  const replacements = changes.map(([name, bounds]) => {
    const recorded = parameterTypes[name] ?? null;
    if (!isPythonDict(recorded)) {
      throw new Error(`the contract has no parameter type ${name}`);
    }
    return { recorded, configured: { ...recorded, ...bounds } };
  });

  const replaced = (value: PythonValue): PythonValue => {
    if (Array.isArray(value)) {
      return value.map(replaced);
    }
    if (!isPythonDict(value)) {
      return value;
    }
    const hit = replacements.find(({ recorded }) => pythonEqual(recorded, value));
    return hit ? hit.configured : dictOf(value, replaced);
  };
  return dictOf(schema, replaced);
}

function dictOf(dict: PythonDict, change: (value: PythonValue) => PythonValue): PythonDict {
  return Object.fromEntries(Object.entries(dict).map(([key, member]) => [key, change(member)]));
}

function float(value: number): number | PythonFloat {
  return Number.isInteger(value) ? new PythonFloat(value) : value;
}
