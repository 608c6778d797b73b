/** A table as `contract/db/tables.json` describes it; the project's own tables are written in the same form. */
export interface TableDescription {
  columns: { name: string; type: string; nullable: boolean; default: string | null }[];
  primary_key: string[];
  unique: { name: string; columns: string[] }[];
  indexes: { name: string; columns: string[]; unique: boolean }[];
  foreign_keys: { name: string; columns: string[]; refers: string; referred_columns: string[]; options: { ondelete?: string } }[];
}
