/** A parsed policy rule. */
export type PolicyCheck =
  | { kind: 'allow' }
  | { kind: 'deny' }
  | { kind: 'not'; check: PolicyCheck }
  | { kind: 'and' | 'or'; checks: PolicyCheck[] }
  | { kind: 'rule'; name: string }
  | { kind: 'role'; role: PolicyTemplate }
  /** A fixed value on the left (`True:%(user.enabled)s`, `'Member':%(role.name)s`). */
  | { kind: 'literal'; value: string; match: PolicyTemplate }
  /** A value of the caller's on the left (`project_id:%(project_id)s`), its path split at the dots. */
  | { kind: 'credential'; path: string[]; match: PolicyTemplate };

/** Text with values of the target in it: strings stand for themselves, `key` for a member of the target. */
export type PolicyTemplate = (string | { key: string })[];
