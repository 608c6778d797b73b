import { RuntimeFault, type RuntimeFaultKind } from '../runtime-fault.ts';

/** The fault for a pull that failed, with the registry's own words. Engines pass those on with no code, so the words decide. */
export function pullFault(message: string): RuntimeFault {
  const kind = wordings.find(([pattern]) => pattern.test(message))?.[1] ?? 'failed';
  return new RuntimeFault(kind, message);
}

const wordings: [RegExp, RuntimeFaultKind][] = [
  [/manifest unknown|name unknown|not found|does not exist|no such image/i, 'not-found'],
  [/unauthorized|authentication required|no basic auth|invalid username\/password|denied|forbidden/i, 'denied'],
  [
    /connection refused|dial tcp|no such host|i\/o timeout|connection reset|network is unreachable|TLS handshake|server gave HTTP response|EOF$/i,
    'unreachable',
  ],
  [/invalid reference format|must be lowercase/i, 'invalid'],
];
