import type { Migration } from 'kysely/migration';
import type { TableSyntax } from '../create-table.ts';
import { newTable } from './new-table.ts';

/** What nodes have, which one process used to remember for itself; agents fill it. */
export const localNodes = (syntax: TableSyntax): Migration => newTable('openkeel_local_node', syntax);
