/** The port that turns a token into an identity: Keystone, or the local Keystone v3 subset of `standalone`. */
export interface Identity {
  /** `null` for a token that is missing, unknown or expired (the edge answers 401). Throws when the service cannot be asked (503). */
  validate(token: string): Promise<TokenIdentity | null>;
}

export interface TokenIdentity {
  userId: string;
  userName: string;
  projectId: string;
  projectName: string;
  userDomainId: string;
  projectDomainId: string;
  roles: string[];
  /** Epoch milliseconds. */
  expiresAt: number;
}
