import { InvalidRequest, type FieldError } from '@weft/service-kit/errors';
import { parseJson, type Json } from '@weft/service-kit/json';
import { PayloadTooLarge } from '../errors';
import { SYSTEM_COLUMNS, type Cell, type Cells, type Column, type ColumnType, type Row } from './data-table';

const MAX_ROW_BYTES = 262_144;

/**
 * Converts a JSON value to a cell of a type; undefined if that is not possible. Strings that contain a number, boolean
 * or date are converted; a string column takes any value as text. Absent values are null, and so is an empty string in
 * other columns.
 */
export const cellOf = (type: ColumnType, value: Json | undefined): Cell | undefined => {
  if (value === null || value === undefined) return null;
  if (type === 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (value === '') return null;
  if (type === 'number') {
    const number =
      typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
    return Number.isFinite(number) ? number : undefined;
  }
  if (type === 'boolean') return booleanOf(value);
  const date = typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
};

const booleanOf = (value: Json): boolean | undefined => {
  if (value === true || value === 1 || value === '1') return true;
  if (value === false || value === 0 || value === '0') return false;
  const text = typeof value === 'string' ? value.toLowerCase() : '';
  return text === 'true' ? true : text === 'false' ? false : undefined;
};

/** The type of a column, system columns included; undefined if there is none. */
export const typeOfColumn = (columns: readonly Column[], name: string): ColumnType | undefined =>
  columns.find((column) => column.name === name)?.type ??
  (Object.hasOwn(SYSTEM_COLUMNS, name) ? SYSTEM_COLUMNS[name] : undefined);

/**
 * Reads the values of a row.
 * @param valuesJson JSON object of values by column; columns may be omitted
 * @param at path of the values in the request, for errors
 * @throws InvalidRequest, PayloadTooLarge
 */
export const readCells = (columns: readonly Column[], valuesJson: string, at: string): Cells => {
  if (Buffer.byteLength(valuesJson) > MAX_ROW_BYTES)
    throw new PayloadTooLarge(`A row may have at most ${MAX_ROW_BYTES} bytes as JSON.`);
  const values = parseJson(Buffer.from(valuesJson));
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new InvalidRequest('The values of a row must be a JSON object.', [
      { field: at, message: 'must be a JSON object' },
    ]);
  const errors: FieldError[] = [];
  const cells: Record<string, Cell> = {};
  for (const [name, value] of Object.entries(values)) {
    const column = columns.find((one) => one.name === name);
    const cell = column === undefined ? undefined : cellOf(column.type, value);
    if (column === undefined)
      errors.push({
        field: `${at}.${name}`,
        message: `The table has no such column. It has: ${columns.map((one) => one.name).join(', ') || 'none'}.`,
      });
    else if (cell === undefined) errors.push({ field: `${at}.${name}`, message: `Must be a ${column.type}.` });
    else cells[name] = cell;
  }
  const [first] = errors;
  if (errors.length > 0)
    throw new InvalidRequest(
      `The value of column ${first?.field.slice(at.length + 1) ?? ''} cannot be stored: ${first?.message ?? ''}`,
      errors.slice(0, 50),
    );
  return cells;
};

/**
 * The cells of a row as a JSON object: every column of the table in order, null if the row has no cell. Dates are ISO
 * 8601.
 */
export const rowJson = (columns: readonly Column[], { cells }: Row): string =>
  JSON.stringify(Object.fromEntries(columns.map(({ name }): [string, Cell] => [name, cells[name] ?? null])));
