import { sql } from 'kysely';
import type { UniqueNameScope } from '../../config/settings.ts';
import type { Queries } from '../../db/database.ts';
import { containerAlreadyExists } from '../../errors/catalogue.ts';

/**
 * Refuses (409) a name that a container has already, whatever its case, in the scope that the operator chose. To be asked in the
 * transaction that writes the name. Origin: zun/db/sqlalchemy/api.py (_validate_unique_container_name).
 */
export async function requireUniqueName(queries: Queries, name: string, projectId: string, scope: UniqueNameScope): Promise<void> {
  if (scope === 'none') return;
  const lowerName = name.toLowerCase();
  let query = queries.selectFrom('container').select('id').where(sql<string>`lower(name)`, '=', lowerName);
  if (scope === 'project') query = query.where('project_id', '=', projectId);
  if (await query.limit(1).executeTakeFirst()) throw containerAlreadyExists(lowerName);
}
