import type { Migration } from 'kysely/migration';
import type { TableSyntax } from '../create-table.ts';
import { newTable } from './new-table.ts';

/** Consoles that may be opened. The version before it opens none, and does not look at the table. */
export const consoles = (syntax: TableSyntax): Migration => newTable('openkeel_console', syntax);
