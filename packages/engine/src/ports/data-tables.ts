import type { Json, JsonObject } from '@weft/node-catalogue';

/** A column of a data table. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** A data table. */
export interface DataTable {
  readonly id: string;
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** A condition on one column. */
export interface RowCondition {
  readonly column: string;
  readonly condition: string;
  /** Undefined for conditions that need none. */
  readonly value: Json | undefined;
}

/** Selection of rows; without conditions all of them. */
export interface RowFilter {
  readonly matchAll: boolean;
  readonly conditions: readonly RowCondition[];
}

/** A part of the rows that match. */
export interface RowQuery {
  readonly filter: RowFilter;
  /** Empty: by id. */
  readonly orderBy: string;
  readonly descending: boolean;
  /** At most 1,000. */
  readonly limit: number;
  /** Of the answer before; empty for the first part. */
  readonly cursor: string;
}

/** A row: `id`, `createdAt`, `updatedAt`, and a value for each column. */
export type TableRow = JsonObject;

/**
 * Data tables, on behalf of the run. An operation that is repeated gives the same rows and changes nothing a second
 * time. Every method throws NodeFailure if it is refused.
 */
export interface DataTables {
  /** Undefined if there is none. */
  find(by: { readonly id: string } | { readonly name: string }): Promise<DataTable | undefined>;
  /** Newest first. */
  list(): Promise<readonly DataTable[]>;
  create(name: string, columns: readonly TableColumn[]): Promise<DataTable>;
  rename(tableId: string, name: string): Promise<DataTable>;
  remove(tableId: string): Promise<void>;
  query(tableId: string, query: RowQuery): Promise<{ readonly rows: readonly TableRow[]; readonly nextCursor: string }>;
  insert(tableId: string, rows: readonly JsonObject[], operation: string): Promise<readonly TableRow[]>;
  update(tableId: string, filter: RowFilter, values: JsonObject, operation: string): Promise<readonly TableRow[]>;
  upsert(tableId: string, filter: RowFilter, values: JsonObject, operation: string): Promise<readonly TableRow[]>;
  /** Returns the removed rows. */
  removeRows(tableId: string, filter: RowFilter, operation: string): Promise<readonly TableRow[]>;
}
