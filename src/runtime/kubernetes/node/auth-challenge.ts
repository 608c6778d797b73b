/** How a registry wants to be logged in to. */
export interface AuthChallenge {
  scheme: 'basic' | 'bearer';
  /** `realm`, `service`, `scope`. */
  parameters: Record<string, string>;
}

/** The first way in a `WWW-Authenticate` header that we know; `null` when there is none. Pure. */
export function authChallenge(header: string): AuthChallenge | null {
  const [, scheme = '', rest = ''] = /^\s*(basic|bearer)\s+(.*)$/is.exec(header) ?? [];
  if (scheme === '') return null;
  const parameters: Record<string, string> = {};
  for (const [, name = '', quoted, plain] of rest.matchAll(/([a-z_]{1,32})=(?:"([^"]*)"|([^\s,]+))/gi)) {
    parameters[name.toLowerCase()] = quoted ?? plain ?? '';
  }
  return { scheme: scheme.toLowerCase() as AuthChallenge['scheme'], parameters };
}
