import type { ReadOwned } from '@weft/service-kit/paging';
import type { CountOwnedBy } from '@weft/service-kit/ownership';

/** Types of columns. */
export const COLUMN_TYPES = ['string', 'number', 'boolean', 'date'] as const;

export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Columns that every row has in addition to those of its table. */
export const SYSTEM_COLUMNS: Readonly<Record<string, ColumnType>> = {
  id: 'number',
  createdAt: 'date',
  updatedAt: 'date',
};

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface DataTable {
  readonly id: string;
  /** Unique. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly ownerId: string;
  /** True if every editor and every run may write its rows. */
  readonly isShared: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Value of a cell. */
export type Cell = string | number | boolean | Date | null;

/** Cells by column. */
export type Cells = Readonly<Record<string, Cell>>;

export interface Row {
  /** Unique within its table. */
  readonly id: number;
  /** A cell for each written column. */
  readonly cells: Cells;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Comparison of a cell. `contains` takes a string in which % matches anything. */
export type Comparison =
  | { readonly kind: 'equals' | 'differs' | 'greater' | 'atLeast' | 'less' | 'atMost'; readonly value: Cell }
  | { readonly kind: 'like'; readonly pattern: string; readonly ignoresCase: boolean }
  | { readonly kind: 'empty' | 'notEmpty' };

/** A validated condition on one column. */
export interface RowCondition {
  readonly column: string;
  readonly comparison: Comparison;
}

/** Selects rows; without conditions, all of them. */
export interface RowFilter {
  readonly matchAll: boolean;
  readonly conditions: readonly RowCondition[];
}

/** A page of the matching rows, in order; rows with equal values are ordered by id. */
export interface RowQuery {
  readonly filter: RowFilter;
  readonly orderBy: string;
  readonly descending: boolean;
  /** Number of rows to skip. */
  readonly skip: number;
  /** Only rows after this id; only when ordered by id. */
  readonly afterId: number | undefined;
  readonly limit: number;
}

/** Store of tables. Every method throws Unavailable if the database cannot be reached. */
export interface DataTableStore {
  /** Newest first, older than `afterId` and of one owner if these are given; at most `limit`. */
  readonly page: ReadOwned<DataTable>;
  readonly find: (id: string) => Promise<DataTable | undefined>;
  readonly findByName: (name: string) => Promise<DataTable | undefined>;
  readonly count: CountOwnedBy;
  readonly insert: (table: DataTable) => Promise<'done' | 'name-taken'>;
  /** Sets the name, and whether the table is shared. `gone` also if it is not as `seen` any more. */
  readonly update: (
    table: Pick<DataTable, 'id' | 'name' | 'isShared' | 'updatedAt'>,
    seen?: DataTable,
  ) => Promise<'done' | 'gone' | 'name-taken'>;
  /** False if it does not exist, or is not as `seen` any more. */
  readonly remove: (id: string, seen?: DataTable) => Promise<boolean>;
  /**
   * Reserves consecutive row ids and returns the first; undefined if the table was deleted, or lacks room for that many
   * rows.
   */
  readonly takeRowIds: (id: string, count: number, rowsMax: number) => Promise<number | undefined>;
  /** Sets the table's row count. */
  readonly setRowCount: (id: string, rows: number) => Promise<void>;
  /** Decreases the row count. */
  readonly countDeleted: (id: string, rows: number) => Promise<void>;
}

/** A row to be added. */
export interface NewRow extends Row {
  /** Unique key of the insertion. */
  readonly insertedBy: string;
  /** The operation that adds it, if `insertedBy` does not name one. */
  readonly writtenBy?: string;
}

/** Store of rows. Every method throws Unavailable if the database cannot be reached. */
export interface RowStore {
  readonly query: (tableId: string, query: RowQuery) => Promise<Row[]>;
  readonly count: (tableId: string, filter: RowFilter) => Promise<number>;
  /** Adds rows, except those whose `insertedBy` already exists. */
  readonly insert: (tableId: string, rows: readonly NewRow[]) => Promise<void>;
  /**
   * Does the work after earlier work of this process with the same key. Nothing relies on the order: processes of other
   * replicas do not wait.
   */
  readonly inTurn: <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;
  /** Adds a row; false if one with its `insertedBy` exists. */
  readonly insertUnlessTaken: (tableId: string, row: NewRow) => Promise<boolean>;
  /** The last `insertedBy` with this prefix; undefined if there is none. */
  readonly lastInserted: (beginning: string) => Promise<string | undefined>;
  /** Rows by their `insertedBy`. */
  readonly findInserted: (
    tableId: string,
    insertedBy: readonly string[],
  ) => Promise<(Row & { readonly insertedBy: string })[]>;
  /** Changes cells of the matching rows, and marks them as written by `operation`. */
  readonly update: (tableId: string, filter: RowFilter, cells: Cells, operation: string, at: Date) => Promise<void>;
  /** Rows that `operation` wrote, by id, unless many others have written them since; at most `limit`. */
  readonly findWritten: (tableId: string, operation: string, limit: number) => Promise<Row[]>;
  /** Returns the number of deleted rows. */
  readonly removeRows: (tableId: string, ids: readonly number[]) => Promise<number>;
  readonly removeAll: (tableId: string) => Promise<void>;
  /** Stores the rows that an operation is about to delete, for a day. */
  readonly storeDeletion: (operation: string, rowsJson: string) => Promise<void>;
  /** The rows that an operation deleted or was about to delete; undefined if it is unknown. */
  readonly findDeletion: (operation: string) => Promise<string | undefined>;
}
