import type { Cell, Column, Row } from './data-table';

/**
 * The cells of a row as a JSON object: every column of the table in its order, null where the row has no cell. Dates
 * are ISO 8601.
 */
export const rowText = (columns: readonly Column[], { cells }: Row): string =>
  JSON.stringify(Object.fromEntries(columns.map(({ name }): [string, Cell] => [name, cells[name] ?? null])));
