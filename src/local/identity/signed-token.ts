import { createHmac, timingSafeEqual } from 'node:crypto';

/** What a token says; it is carried by the token itself, so none is stored. */
export interface TokenClaims {
  userId: string;
  /** `null` for an unscoped token. */
  projectId: string | null;
  /** The ways it was earned by, as Keystone names them: `password`, `token`. */
  methods: string[];
  auditId: string;
  /** Epoch milliseconds. */
  issuedAt: number;
  /** Epoch milliseconds. */
  expiresAt: number;
}

/** Claims and their HMAC-SHA256, both base64url, joined by a dot. */
export function signToken(claims: TokenClaims, key: string): string {
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${payload}.${signature(payload, key).toString('base64url')}`;
}

/** The claims of a token that was signed with the key; `null` for any other text. Says nothing about expiry. */
export function readToken(token: string, key: string): TokenClaims | null {
  const [payload = '', signed = '', ...rest] = token.split('.');
  const given = Buffer.from(signed, 'base64url');
  const expected = signature(payload, key);
  if (rest.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

function signature(payload: string, key: string): Buffer {
  return createHmac('sha256', key).update(payload).digest();
}
