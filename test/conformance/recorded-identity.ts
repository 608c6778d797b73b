import type { Identity } from '../../src/identity/identity.ts';
import type { RecordedIdentity } from './record.ts';

/** Tokens by what the record says of their owners. */
export function recordedIdentity(ownerOf: (token: string) => RecordedIdentity | null): Identity {
  return {
    validate: async (token) => {
      const owner = ownerOf(token);
      return (
        owner && {
          userId: owner.user_id,
          userName: owner.user_name ?? owner.user_id,
          projectId: owner.project_id,
          projectName: owner.project_name ?? owner.project_id,
          userDomainId: 'default',
          projectDomainId: 'default',
          roles: owner.roles,
          expiresAt: Number.MAX_SAFE_INTEGER,
        }
      );
    },
  };
}
