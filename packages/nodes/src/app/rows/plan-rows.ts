import type { Json, JsonObject } from '@weft/node-catalogue';
import { textOf } from '../../shared/http/request/read-fields';

/** Ways to handle fields of records that are not columns of the table. */
export type ExtraFields = 'insertInNewColumn' | 'ignoreIt' | 'error';

/** Rows of a table, from the first one, with its cells. Rows may be shorter than others. */
export type Table = readonly (readonly Json[])[];

/** A table, and where its parts are. */
export interface PlacedTable {
  readonly rows: Table;
  /** Number of the row with the names of the columns, from 1. */
  readonly headerRow: number;
  /** Number of the first row with data. */
  readonly firstRow: number;
}

/** How records are written. */
export interface WriteSettings {
  readonly mode: 'append' | 'update' | 'upsert';
  /** The column whose value finds the row; absent for `append`. */
  readonly match: string | undefined;
  /** Name that stands for the number of the row and is not a column. */
  readonly rowNumber: string | undefined;
  /** Names of columns that are added if they are missing. */
  readonly adds: readonly string[];
}

/** A new value of a cell. */
export interface Cell {
  /** Such as `C5`. */
  readonly a1: string;
  /** Letters of the column. */
  readonly column: string;
  readonly row: number;
  readonly value: Json;
}

/** The writes that bring records into a table. */
export interface RowsPlan {
  readonly header: readonly string[];
  readonly isHeaderChanged: boolean;
  readonly cells: readonly Cell[];
  /** Rows to append, with a value for each column of the header. */
  readonly rows: readonly (readonly Json[])[];
  /** Number of the row after the last one. */
  readonly nextRow: number;
  /** True if the last rows of the table begin in its first column, below which services append. */
  readonly isBelow: boolean;
}

/** The names of the columns; undefined if the table does not have the row. */
export function headerOf({ rows, headerRow }: PlacedTable): readonly string[] | undefined {
  return rows[headerRow - 1]?.map(textOf);
}

/** Plans the writes for records. Rows are found in the table as it was read, also for records that follow others. */
export function planRows(table: PlacedTable, settings: WriteSettings, records: readonly JsonObject[]): RowsPlan {
  const { mode, match, rowNumber, adds } = settings;
  const old = headerOf(table) ?? [];
  const missing = [...new Set(adds)].filter((name) => name !== rowNumber && !old.includes(name));
  const header = [...old, ...missing];
  const find = finderOf(table, old, settings);
  const cells: Cell[] = [];
  const rows: (readonly Json[])[] = [];
  for (const record of records) {
    const row = mode === 'append' ? undefined : find(record);
    if (row !== undefined) cells.push(...cellsOf(record, row, header, match));
    else if (mode !== 'update') rows.push(header.map((name) => cellValue(record[name]) ?? ''));
  }
  const isHeaderChanged = missing.length > 0;
  const last = Math.max(table.rows.length, isHeaderChanged ? table.headerRow : 0);
  return { header, isHeaderChanged, cells, rows, nextRow: last + 1, isBelow: endsInFirstColumn(table.rows) };
}

function finderOf(
  { rows, firstRow }: PlacedTable,
  header: readonly string[],
  { match, rowNumber }: WriteSettings,
): (record: JsonObject) => number | undefined {
  if (match === undefined) return () => undefined;
  if (match === rowNumber && !header.includes(match)) return (record) => numberOf(record[match]);
  const column = header.indexOf(match);
  const byKey = new Map<string, number>();
  if (column >= 0)
    rows.slice(firstRow - 1).forEach((row, index) => {
      const key = row[column];
      if (key !== undefined && key !== null && !byKey.has(String(key))) byKey.set(String(key), index + firstRow);
    });
  return (record) => {
    const key = record[match];
    return key === undefined || key === null ? undefined : byKey.get(String(key));
  };
}

/** The number of a row; undefined for any other value. */
export function numberOf(value: Json | undefined): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 1 ? number : undefined;
}

function cellsOf(record: JsonObject, row: number, header: readonly string[], match: string | undefined): Cell[] {
  return [...new Set(header)].flatMap((name): Cell[] => {
    const value = name === match ? undefined : cellValue(record[name]);
    if (value === undefined) return [];
    const column = columnLetters(header.indexOf(name));
    return [{ a1: `${column}${row}`, column, row, value }];
  });
}

/** A value as a cell holds it: objects and lists are their JSON. */
function cellValue(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function endsInFirstColumn(rows: Table): boolean {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const row = rows[index] ?? [];
    if (isFilled(row[0])) return true;
    if (!row.some(isFilled)) return index === rows.length - 1;
  }
  return rows.length === 0;
}

/** True for a cell that is not empty. */
export const isFilled = (cell: Json | undefined): boolean => cell !== undefined && cell !== null && cell !== '';

const LETTERS = 26;

/** The letters of a column of a spreadsheet, by its index from 0: A to Z, then AA. */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % LETTERS));
  return index < LETTERS ? last : columnLetters(Math.floor(index / LETTERS) - 1) + last;
}
