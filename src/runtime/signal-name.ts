import { constants } from 'node:os';
import { RuntimeFault } from './runtime-fault.ts';

/** `SIGTERM`, `term` or `15` as `TERM`. Fault `invalid` for what Linux does not know. */
export function signalName(asked: string): string {
  const byNumber = Object.entries(constants.signals).find(([, number]) => String(number) === asked)?.[0];
  const name = byNumber ?? `SIG${asked.toUpperCase().replace(/^SIG/, '')}`;
  if (!(name in constants.signals)) throw new RuntimeFault('invalid', `Invalid signal: ${asked}`);
  return name.slice(3);
}
