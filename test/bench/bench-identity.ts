import type { Identity } from '../../src/identity/identity.ts';

/** A token begins with its bearer, `demo.…`: a member of `<name>-project`, or the admin of `admin-project`. */
export const benchIdentity: Identity = {
  async validate(token) {
    const name = token.split('.')[0] ?? '';
    return {
      userId: `${name}-user`,
      userName: name,
      projectId: `${name}-project`,
      projectName: name,
      userDomainId: 'default',
      projectDomainId: 'default',
      roles: name === 'admin' ? ['admin', 'member', 'reader'] : ['member', 'reader'],
      expiresAt: Number.MAX_SAFE_INTEGER,
    };
  },
};
