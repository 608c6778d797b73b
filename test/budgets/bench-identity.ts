import type { Identity } from '../../src/identity/identity.ts';

/** The name of a token is its bearer: a member of `<name>-project`, or the admin of `admin-project`. */
export const benchIdentity: Identity = {
  validate: async (name) => ({
    userId: `${name}-user`,
    userName: name,
    projectId: `${name}-project`,
    projectName: name,
    userDomainId: 'default',
    projectDomainId: 'default',
    roles: name === 'admin' ? ['admin', 'member', 'reader'] : ['member', 'reader'],
    expiresAt: Number.MAX_SAFE_INTEGER,
  }),
};
