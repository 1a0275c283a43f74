import type { ReadOwned } from '@weft/service-kit/paging';
import type { CountOwnedBy } from '../owner-share';

/** Types of columns. */
export const COLUMN_TYPES = ['string', 'number', 'boolean', 'date'] as const;

/** Type of a column. */
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Columns that every row has besides those of its table. */
export const SYSTEM_COLUMNS: Readonly<Record<string, ColumnType>> = {
  id: 'number',
  createdAt: 'date',
  updatedAt: 'date',
};

/** A column. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

/** A table. */
export interface DataTable {
  readonly id: string;
  /** Unique. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly ownerId: string;
  /** True: every editor and every run may write its rows. */
  readonly isShared: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Value of a cell. */
export type Cell = string | number | boolean | Date | null;

/** Cells by column. */
export type Cells = Readonly<Record<string, Cell>>;

/** A row. */
export interface Row {
  /** Unique within its table. */
  readonly id: number;
  /** A cell for each written column. */
  readonly cells: Cells;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Comparison of a cell. `contains` takes a string with % for anything. */
export type Comparison =
  | { readonly kind: 'equals' | 'differs' | 'greater' | 'atLeast' | 'less' | 'atMost'; readonly value: Cell }
  | { readonly kind: 'like'; readonly pattern: string; readonly ignoresCase: boolean }
  | { readonly kind: 'empty' | 'notEmpty' };

/** A condition on one column, checked. */
export interface RowCondition {
  readonly column: string;
  readonly comparison: Comparison;
}

/** Selects rows. Without conditions, all of them. */
export interface RowFilter {
  readonly matchAll: boolean;
  readonly conditions: readonly RowCondition[];
}

/** Selects a part of the matching rows, in order; rows with the same value are in the order of their ids. */
export interface RowQuery {
  readonly filter: RowFilter;
  readonly orderBy: string;
  readonly descending: boolean;
  /** Number of rows to skip. */
  readonly skip: number;
  /** Only rows behind this id; only with the order by id. */
  readonly afterId: number | undefined;
  readonly limit: number;
}

/** Store of tables. Every method throws Unavailable if the database cannot be reached. */
export interface DataTableStore {
  /** Newest first, those older than `afterId` if it is given, of one owner if it is given; at most `limit`. */
  readonly page: ReadOwned<DataTable>;
  readonly find: (id: string) => Promise<DataTable | undefined>;
  readonly findByName: (name: string) => Promise<DataTable | undefined>;
  readonly count: CountOwnedBy;
  readonly insert: (table: DataTable) => Promise<'done' | 'name-taken'>;
  /** Sets the name, and whether the table is shared. */
  readonly update: (
    table: Pick<DataTable, 'id' | 'name' | 'isShared' | 'updatedAt'>,
  ) => Promise<'done' | 'gone' | 'name-taken'>;
  /** False if there is none. */
  readonly remove: (id: string) => Promise<boolean>;
  /**
   * The first of so many ids that no row had before; undefined if the table is gone, or has no room for so many rows.
   */
  readonly takeRowIds: (id: string, count: number, rowsMax: number) => Promise<number | undefined>;
  /** Sets how many rows the table counts. */
  readonly setRowCount: (id: string, rows: number) => Promise<void>;
  /** So many rows fewer. */
  readonly countDeleted: (id: string, rows: number) => Promise<void>;
}

/** A row that is to be added. */
export interface NewRow extends Row {
  /** Unique key of the insertion. */
  readonly insertedBy: string;
  /** The operation that adds it, where `insertedBy` does not name one. */
  readonly writtenBy?: string;
}

/** Store of rows. Every method throws Unavailable if the database cannot be reached. */
export interface RowStore {
  readonly query: (tableId: string, query: RowQuery) => Promise<Row[]>;
  readonly count: (tableId: string, filter: RowFilter) => Promise<number>;
  /** Adds rows, except those whose `insertedBy` exists already. */
  readonly insert: (tableId: string, rows: readonly NewRow[]) => Promise<void>;
  /** Adds a row; false if one with its `insertedBy` exists. */
  readonly insertUnlessTaken: (tableId: string, row: NewRow) => Promise<boolean>;
  /** The last `insertedBy` that begins so; undefined if none does. */
  readonly lastInserted: (beginning: string) => Promise<string | undefined>;
  /** Rows by the keys of their insertions. */
  readonly findInserted: (
    tableId: string,
    insertedBy: readonly string[],
  ) => Promise<(Row & { readonly insertedBy: string })[]>;
  /** Changes cells of the rows that match, and marks them as written by `operation`. */
  readonly update: (tableId: string, filter: RowFilter, cells: Cells, operation: string, at: Date) => Promise<void>;
  /** Rows that `operation` wrote, by id, unless many others wrote them since; at most `limit`. */
  readonly findWritten: (tableId: string, operation: string, limit: number) => Promise<Row[]>;
  /** Number of deleted rows. */
  readonly removeRows: (tableId: string, ids: readonly number[]) => Promise<number>;
  readonly removeAll: (tableId: string) => Promise<void>;
  /** Stores the rows that an operation is about to delete, for a day. */
  readonly storeDeletion: (operation: string, rowsJson: string) => Promise<void>;
  /** The rows that an operation deleted, or was about to; undefined if it is not known. */
  readonly findDeletion: (operation: string) => Promise<string | undefined>;
}
