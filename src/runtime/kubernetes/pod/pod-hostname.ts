import { RuntimeFault } from '../../runtime-fault.ts';

const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const longest = 63;

/**
 * The hostname if Kubernetes can give it to a Pod. Zun's schema lets through dots, underscores, capitals and 255 characters; all but
 * one DNS label of 63 is refused here (fault `invalid`). Pure.
 */
export function podHostname(hostname: string): string {
  if (hostname.length <= longest && label.test(hostname)) return hostname;
  const rule = `on Kubernetes it is at most ${longest} lower case letters, digits and inner hyphens`;
  throw new RuntimeFault('invalid', `Invalid value '${hostname}' for hostname: ${rule}.`);
}
