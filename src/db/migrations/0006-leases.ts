import type { Migration } from 'kysely/migration';
import type { TableSyntax } from '../create-table.ts';
import { newTable } from './new-table.ts';

/** Who leads what. The version before it elects nobody, and does not look at the table. */
export const leases = (syntax: TableSyntax): Migration => newTable('openkeel_lease', syntax);
