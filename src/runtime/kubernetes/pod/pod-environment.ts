import type { V1EnvVar } from '@kubernetes/client-node';
import { RuntimeFault } from '../../runtime-fault.ts';
import { escapedReferences } from './escaped-references.ts';

/** What Kubernetes takes since 1.30: printable ASCII without `=`. Older clusters take less, and say so themselves. */
const variableName = /^[\x20-\x3c\x3e-\x7e]+$/;

/** Variables in the order given. Fault `invalid` for a name that Kubernetes takes from nobody. Pure. */
export function podEnvironment(environment: Record<string, string>): V1EnvVar[] {
  return Object.entries(environment).map(([name, value]) => {
    if (!variableName.test(name)) {
      const words = `Invalid value ${JSON.stringify(name)} for environment: names of variables are printable ASCII characters without '='.`;
      throw new RuntimeFault('invalid', words);
    }
    return { name, value: escapedReferences(value) };
  });
}
