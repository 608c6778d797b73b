import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('.', import.meta.url);

/** Begins a migration: writes its file beside the others and answers what is left to do. Throws unless the message has words. */
export async function writeMigration(message: string): Promise<string> {
  const words = message.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  if (words.length === 0) throw new Error('a message is wanted: revision -m "what it does"');
  const known = readFileSync(new URL('migrations.ts', folder), 'utf8').match(/'(\d{4})-/g) ?? [];
  const name = `${String(known.length + 1).padStart(4, '0')}-${words.join('-')}`;
  const file = new URL(`${name}.ts`, folder);
  const constant = words.map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
  writeFileSync(file, template(constant, message), { flag: 'wx' });
  return `${fileURLToPath(file)} is begun; add \`'${name}': ${constant}\` at the end of migrations.ts.`;
}

const template = (constant: string, message: string) => `import type { Migration } from 'kysely/migration';

/** ${message.replaceAll('*/', '')}. May run again after an interruption, and while the version before it still runs. */
export const ${constant}: Migration = {
  async up(db) {
    await db.schema.alterTable('').execute();
  },
};
`;
