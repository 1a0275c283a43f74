import type { Json, JsonObject } from '@weft/node-catalogue';
import { textOf } from '../../shared/http/request/read-fields';
import { isFilled, type Table } from './plan-rows';

/** A condition on a record: the column has the value. */
export interface Filter {
  readonly column: string;
  readonly value: Json;
}

/** How records are read from a table. */
export interface ReadSettings {
  readonly headerRow: number;
  readonly firstRow: number;
  /** Which rows and columns count: all that were read, or those from the first filled row on, without empty ones. */
  readonly until: 'end' | 'lastRow' | 'firstEmptyRow';
  /** Name of the field with the number of the row. */
  readonly rowNumber: string | undefined;
  readonly filters: readonly Filter[];
  /** All filters must hold; otherwise one of them suffices. */
  readonly matchesAll: boolean;
  /** Only the first record that fits. */
  readonly isFirstOnly: boolean;
  /** Only the first record for each filter; with `matchesAll`, the first that fits. */
  readonly isFirstOfEach: boolean;
}

/** A filter names a column that the table does not have. */
export interface UnknownColumn {
  readonly unknownColumn: string;
}

interface Row {
  readonly number: number;
  readonly cells: readonly Json[];
}

/** The records of a table: one for each row with data, with the names of the columns, `col_N` for those without one. */
export function recordsOf(table: Table, settings: ReadSettings): JsonObject[] | UnknownColumn {
  const { rowNumber, filters } = settings;
  const { header, rows } = partsOf(table, settings);
  if (header === undefined) return [];
  const width =
    filters.length > 0 ? header.length : rows.reduce((most, { cells }) => Math.max(most, cells.length), header.length);
  const offset = rowNumber === undefined ? 0 : 1;
  const names = Array.from({ length: width }, (_, index) =>
    isFilled(header[index]) ? String(header[index]) : `col_${index + offset}`,
  );
  const record = ({ number, cells }: Row): JsonObject => ({
    ...(rowNumber === undefined ? {} : { [rowNumber]: number }),
    ...Object.fromEntries(cells.slice(0, width).map((cell, index) => [names[index] ?? '', cell])),
  });
  if (filters.length === 0) return rows.map(record).filter((one) => Object.keys(one).length > 0);
  const valueIn = ({ number, cells }: Row, column: string): Json | undefined =>
    column === rowNumber ? number : cells[names.indexOf(column)];
  const unknown = filters.find(({ column }) => column !== rowNumber && !names.includes(column));
  if (unknown !== undefined) return { unknownColumn: unknown.column };
  const filled = rows.map(({ number, cells }) => ({ number, cells: names.map((_, index) => cells[index] ?? '') }));
  return chosen(filled, settings, (row, { column, value }) => isSame(valueIn(row, column), value)).map(record);
}

/** The rows in which the filters hold. Without `matchesAll`, those of the first filter come first. */
function chosen(
  rows: readonly Row[],
  { filters, matchesAll, isFirstOnly, isFirstOfEach }: ReadSettings,
  holds: (row: Row, filter: Filter) => boolean,
): readonly Row[] {
  if (matchesAll) {
    const fitting = rows.filter((row) => filters.every((filter) => holds(row, filter)));
    return isFirstOnly || isFirstOfEach ? fitting.slice(0, 1) : fitting;
  }
  const found = new Set<Row>();
  for (const filter of filters)
    for (const row of rows) {
      if (!holds(row, filter)) continue;
      found.add(row);
      if (isFirstOnly || isFirstOfEach) break;
    }
  return [...found].slice(0, isFirstOnly ? 1 : found.size);
}

/** A filter without a value holds for no row, also for empty cells. */
const isSame = (cell: Json | undefined, wanted: Json): boolean =>
  wanted !== null && textOf(cell ?? null) === textOf(wanted);

/** The names of the columns, and the rows with data. */
function partsOf(
  table: Table,
  { headerRow, firstRow, until }: ReadSettings,
): { readonly header: readonly Json[] | undefined; readonly rows: readonly Row[] } {
  const rows = table.map((cells, index) => ({ number: index + 1, cells }));
  if (until === 'end')
    return firstRow < headerRow
      ? { header: undefined, rows: [] }
      : { header: table[headerRow - 1], rows: rows.slice(firstRow - 1) };
  const start = rows.findIndex(({ cells }) => cells.some(isFilled));
  const [head, ...data] = start < 0 ? [] : rows.slice(start);
  if (head === undefined) return { header: undefined, rows: [] };
  const end = until === 'firstEmptyRow' ? data.findIndex(({ cells }) => !cells.some(isFilled)) : -1;
  const filled = end < 0 ? data.filter(({ cells }) => cells.some(isFilled)) : data.slice(0, end);
  return withoutEmptyColumns(head, filled);
}

/** Leaves out columns without a name and without data, and fills up short rows. */
function withoutEmptyColumns(
  head: Row,
  data: readonly Row[],
): { readonly header: readonly Json[]; readonly rows: readonly Row[] } {
  const width = data.reduce((most, { cells }) => Math.max(most, cells.length), head.cells.length);
  const kept = Array.from({ length: width }, (_, index) => index).filter(
    (index) => isFilled(head.cells[index]) || data.some(({ cells }) => isFilled(cells[index])),
  );
  const pick = (cells: readonly Json[]): Json[] => kept.map((index) => cells[index] ?? '');
  return { header: pick(head.cells), rows: data.map(({ number, cells }) => ({ number, cells: pick(cells) })) };
}
