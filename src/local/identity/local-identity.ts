import { createHash, timingSafeEqual } from 'node:crypto';
import type { Identity, TokenIdentity } from '../../identity/identity.ts';
import type { Clock } from '../../telemetry/clock.ts';
import type { Ids } from '../../telemetry/ids.ts';
import { unauthorized } from './identity-error.ts';
import { type LocalDirectory, type LocalProject, type LocalUser, localDirectory, type Role } from './local-directory.ts';
import type { LocalSecrets } from './local-secrets.ts';
import type { Login, Proof, Reference } from './login.ts';
import { readToken, signToken, type TokenClaims } from './signed-token.ts';

const tokenLifetime = 12 * 60 * 60 * 1000;

/** Whom a valid token speaks for. */
export interface TokenHolder {
  claims: TokenClaims;
  user: LocalUser;
  /** `null` for an unscoped token. */
  project: LocalProject | null;
  /** Empty for an unscoped token. */
  roles: readonly Role[];
}

/**
 * Users, projects and tokens of `standalone`. A token is checked by its signature alone, without any I/O, and outlives a restart;
 * a revocation does not: the list of revoked tokens is held in memory.
 */
export class LocalIdentity implements Identity {
  readonly directory: LocalDirectory;
  readonly #key: string;
  readonly #clock: Clock;
  readonly #ids: Ids;
  /** Audit id → expiry in epoch milliseconds. */
  readonly #revoked = new Map<string, number>();

  constructor(secrets: LocalSecrets, clock: Clock, ids: Ids) {
    this.directory = localDirectory(secrets);
    this.#key = secrets.signingKey;
    this.#clock = clock;
    this.#ids = ids;
  }

  async validate(token: string): Promise<TokenIdentity | null> {
    const holder = this.holder(token);
    if (!holder?.project) return null;
    return {
      userId: holder.user.id,
      userName: holder.user.name,
      projectId: holder.project.id,
      projectName: holder.project.name,
      userDomainId: this.directory.domain.id,
      projectDomainId: this.directory.domain.id,
      roles: holder.roles.map((role) => role.name),
      expiresAt: holder.claims.expiresAt,
    };
  }

  /** `null` for a token that was not made here, has expired or was revoked, and for one of a user or project that is no more. */
  holder(token: string): TokenHolder | null {
    const claims = readToken(token, this.#key);
    if (!claims || claims.expiresAt <= this.#clock.now() || this.#revoked.has(claims.auditId)) return null;
    const user = this.directory.users.find((one) => one.id === claims.userId);
    if (!user) return null;
    if (claims.projectId === null) return { claims, user, project: null, roles: [] };
    const project = this.directory.projects.find((one) => one.id === claims.projectId);
    const roles = user.roles.get(claims.projectId);
    return project && roles ? { claims, user, project, roles } : null;
  }

  /** Makes a token. Throws `IdentityError` 401 when the proof or the scope does not hold. */
  issue({ proof, scope }: Login): { token: string; holder: TokenHolder } {
    const now = this.#clock.now();
    const { user, earlier } = this.#prove(proof);
    const project = this.#project(scope, user);
    const claims: TokenClaims = {
      userId: user.id,
      projectId: project?.id ?? null,
      methods: [...new Set([...(earlier?.methods ?? []), proof.method])],
      auditId: this.#ids.uuid(),
      issuedAt: now,
      // As in Keystone a token made from a token lives no longer than that one.
      expiresAt: earlier?.expiresAt ?? now + tokenLifetime,
    };
    return { token: signToken(claims, this.#key), holder: { claims, user, project, roles: (project && user.roles.get(project.id)) ?? [] } };
  }

  /** From now on the token counts for nothing. */
  revoke({ claims }: TokenHolder): void {
    const now = this.#clock.now();
    for (const [auditId, expiresAt] of this.#revoked) if (expiresAt <= now) this.#revoked.delete(auditId);
    this.#revoked.set(claims.auditId, claims.expiresAt);
  }

  #prove(proof: Proof): { user: LocalUser; earlier: TokenClaims | null } {
    if (proof.method === 'token') {
      const holder = this.holder(proof.token);
      if (!holder) throw unauthorized();
      return { user: holder.user, earlier: holder.claims };
    }
    const user = this.#find(this.directory.users, proof.user);
    if (!user || !sameSecret(user.password, proof.password)) throw unauthorized();
    return { user, earlier: null };
  }

  #project(scope: Login['scope'], user: LocalUser): LocalProject | null {
    if (scope === 'unscoped') return null;
    if (scope === 'refused') throw unauthorized();
    const project = this.#find(this.directory.projects, scope === 'default' ? { id: user.defaultProjectId } : scope.project);
    if (!project || !user.roles.has(project.id)) throw unauthorized();
    return project;
  }

  #find<Thing extends { id: string; name: string }>(things: readonly Thing[], reference: Reference): Thing | undefined {
    if ('id' in reference) return things.find((thing) => thing.id === reference.id);
    const { domain } = this.directory;
    const here = 'id' in reference.domain ? reference.domain.id === domain.id : reference.domain.name === domain.name;
    return here ? things.find((thing) => thing.name === reference.name) : undefined;
  }
}

/** Compares in a time that tells nothing about where the two differ. */
function sameSecret(one: string, other: string): boolean {
  const [a = Buffer.of(), b = Buffer.of()] = [one, other].map((secret) => createHash('sha256').update(secret).digest());
  return timingSafeEqual(a, b);
}
