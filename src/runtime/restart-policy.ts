import { invalidValue } from '../errors/catalogue.ts';

/** As clients send it and the row keeps it; `MaximumRetryCount` is a whole number as text or number. */
export interface RequestedRestartPolicy {
  Name?: string;
  MaximumRetryCount?: string | number | null;
}

const INTEGER = /^\s*[+-]?\d+(?:_\d+)*\s*$/;

/**
 * The policy with its retry count filled in: '0' when absent, and always for `no`. 400 for a count with a policy that knows none, or a
 * count that is no whole number (500 in the original). An absent or empty policy comes back as it is.
 * Origin: zun/common/utils.py, check_for_restart_policy.
 */
export function checkedRestartPolicy<T extends RequestedRestartPolicy | null | undefined>(policy: T): T {
  if (!policy || Object.keys(policy).length === 0) return policy;
  const count = policy.MaximumRetryCount === undefined ? '0' : policy.MaximumRetryCount;
  if (!INTEGER.test(String(count))) throw invalidValue(`${count} is not a valid maximum retry count.`);
  const name = policy.Name;
  if ((name === 'always' || name === 'unless-stopped') && Number(String(count).replaceAll('_', '')) !== 0) {
    throw invalidValue(`maximum retry count not valid with restart policy of ${name}`);
  }
  return { ...policy, MaximumRetryCount: name === 'no' ? '0' : count };
}
