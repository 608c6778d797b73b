import type { LocalSecrets } from './local-secrets.ts';

export interface Role {
  id: string;
  name: string;
}

export interface LocalProject {
  id: string;
  name: string;
  description: string;
}

export interface LocalUser {
  id: string;
  name: string;
  password: string;
  defaultProjectId: string;
  /** By project id. */
  roles: ReadonlyMap<string, readonly Role[]>;
}

/** Everybody and everything that the local identity knows. */
export interface LocalDirectory {
  domain: { id: string; name: string };
  roles: readonly Role[];
  projects: readonly LocalProject[];
  users: readonly LocalUser[];
}

/** An admin, and a plain user who is a member of the project `demo`; the admin may act in both projects. */
export function localDirectory({ users, projects }: LocalSecrets): LocalDirectory {
  const [admin, member, reader] = ['admin', 'member', 'reader'].map((name): Role => ({ id: name, name })) as [Role, Role, Role];
  const administers = [admin, member, reader];
  return {
    domain: { id: 'default', name: 'Default' },
    roles: administers,
    projects: [
      { id: projects.admin.id, name: 'admin', description: 'The project of the admin' },
      { id: projects.demo.id, name: 'demo', description: 'The project of the plain user' },
    ],
    users: [
      {
        ...users.admin,
        name: 'admin',
        defaultProjectId: projects.admin.id,
        roles: new Map([
          [projects.admin.id, administers],
          [projects.demo.id, administers],
        ]),
      },
      { ...users.demo, name: 'demo', defaultProjectId: projects.demo.id, roles: new Map([[projects.demo.id, [member, reader]]]) },
    ],
  };
}
