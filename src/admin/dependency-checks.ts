import type { Database } from '../db/database.ts';
import type { Identity } from '../identity/identity.ts';
import type { DependencyCheck } from './readiness.ts';

/** The database answers, and has this version's tables. */
export function databaseCheck(database: Database): DependencyCheck {
  return () => database.queries.selectFrom('openkeel_task').select('id').limit(1).execute();
}

/** The identity service judges a token: one that nobody has, so that the answer is never from a cache of good ones. */
export function identityCheck(identity: Identity): DependencyCheck {
  return () => identity.validate('readiness');
}
