import { createHash } from 'node:crypto';

/** What a namespace may be called; see Kubernetes' RFC 1123 label. */
const label = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/;
const longest = 63;

/** The namespace of a project: its id behind the prefix, or a digest of it where Kubernetes could not have that as a name. Pure. */
export function projectNamespace(prefix: string, projectId: string): string {
  const name = `${prefix}${projectId}`;
  if (name.length <= longest && label.test(name)) return name;
  return `${prefix}${createHash('sha256').update(projectId).digest('hex').slice(0, 32)}`;
}
