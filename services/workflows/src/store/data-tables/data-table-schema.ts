import { Schema, type Connection, type Model } from 'mongoose';

/** A stored table. */
export interface DataTableDocument {
  _id: string;
  name: string;
  columns: { name: string; type: string }[];
  ownerId: string;
  shared: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** Id of the next row. */
  nextRowId: number;
  /** Number of rows; too high after an interrupted write. */
  rows: number;
}

/** A stored row. */
export interface RowDocument {
  /** `<table id>:<row id>`. */
  _id: string;
  tableId: string;
  rowId: number;
  /**
   * Values by column, in store types so that the store can compare them. Column names are restricted to letters, digits
   * and underscores.
   */
  cells: Record<string, string | number | boolean | Date | null>;
  /** Unique key of the insertion. */
  insertedBy: string;
  /** The last operations that wrote it, latest last; absent if none did after it was added. */
  writtenBy?: string[];
  createdAt: Date;
  updatedAt: Date;
}

/** Rows deleted by an operation, kept for its repetition. */
export interface DeletionDocument {
  _id: string;
  rowsJson: string;
  expireAt: Date;
}

const string = { type: String, required: true };
const number = { type: Number, required: true };
const date = { type: Date, required: true };

const tableSchema = new Schema<DataTableDocument>(
  {
    _id: string,
    name: string,
    columns: [new Schema({ name: string, type: { type: String, required: true } }, { _id: false })],
    ownerId: string,
    shared: { type: Boolean, required: true },
    createdAt: date,
    updatedAt: date,
    nextRowId: number,
    rows: number,
  },
  { versionKey: false },
);

const rowSchema = new Schema<RowDocument>(
  {
    _id: string,
    tableId: string,
    rowId: number,
    cells: { type: Schema.Types.Mixed, required: true },
    insertedBy: string,
    writtenBy: { type: [String], default: undefined },
    createdAt: date,
    updatedAt: date,
  },
  { versionKey: false, minimize: false },
);

const deletionSchema = new Schema<DeletionDocument>(
  { _id: string, rowsJson: string, expireAt: date },
  { versionKey: false },
);

/** The collection `dataTables` of a database. */
export const dataTableModel = (connection: Connection): Model<DataTableDocument> =>
  connection.model<DataTableDocument>('DataTable', tableSchema, 'dataTables');

/** The collection `dataTableRows` of a database. */
export const rowModel = (connection: Connection): Model<RowDocument> =>
  connection.model<RowDocument>('DataTableRow', rowSchema, 'dataTableRows');

/** The collection `dataTableDeletions` of a database. */
export const deletionModel = (connection: Connection): Model<DeletionDocument> =>
  connection.model<DeletionDocument>('DataTableDeletion', deletionSchema, 'dataTableDeletions');
