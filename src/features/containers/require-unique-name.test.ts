import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { memoryDatabase } from '../../../test/contract/memory-database.ts';
import type { UniqueNameScope } from '../../config/settings.ts';
import type { Database } from '../../db/database.ts';
import { requireUniqueName } from './require-unique-name.ts';

describe('a name in use', () => {
  let database: Database;
  before(async () => {
    database = await memoryDatabase();
    await database.queries.insertInto('container').values({ uuid: 'u', name: 'Web', project_id: 'p', container_type: 0 }).execute();
  });
  after(() => database.close());

  const ask = (name: string, projectId: string, scope: UniqueNameScope) => requireUniqueName(database.queries, name, projectId, scope);
  const refused = { name: 'ContainerAlreadyExists', status: 409, message: 'A container with name web already exists.' };

  test('is refused in its scope, whatever its case', async () => {
    await assert.rejects(ask('WEB', 'p', 'project'), refused);
    await assert.rejects(ask('web', 'other', 'global'), refused);
  });

  test('may be taken in another project, and anywhere where names need not be unique', async () => {
    await ask('web', 'other', 'project');
    await ask('web', 'p', 'none');
    await ask('db', 'p', 'global');
  });
});
