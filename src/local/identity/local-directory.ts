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

/**
 * An admin, a plain user who is a member of the project `demo`, and whoever else was written into the secrets, each with a project
 * of his own; the admin may act in `admin` and `demo`.
 */
export function localDirectory({ users, projects, others = {} }: LocalSecrets): LocalDirectory {
  const [admin, member, reader] = ['admin', 'member', 'reader'].map((name): Role => ({ id: name, name })) as [Role, Role, Role];
  const administers = [admin, member, reader];
  const more = Object.entries(others);
  return {
    domain: { id: 'default', name: 'Default' },
    roles: administers,
    projects: [
      { id: projects.admin.id, name: 'admin', description: 'The project of the admin' },
      { id: projects.demo.id, name: 'demo', description: 'The project of the plain user' },
      ...more.map(([name, { projectId }]) => ({ id: projectId, name, description: `The project of ${name}` })),
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
      ...more.map(([name, { id, password, projectId }]) => ({
        id,
        name,
        password,
        defaultProjectId: projectId,
        roles: new Map([[projectId, [member, reader]]]),
      })),
    ],
  };
}
