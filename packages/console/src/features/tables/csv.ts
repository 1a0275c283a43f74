/** A column of a data table. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
}

/** A value of a column. */
export type CellValue = string | number | boolean | null;

/** The value that a text stands for; empty is null, except in text. @throws Error with what is expected */
export const cellOf = ({ name, type }: TableColumn, text: string): CellValue => {
  if (type === 'string') return text;
  const trimmed = text.trim();
  if (trimmed === '') return null;
  if (type === 'number') {
    const number = Number(trimmed);
    if (Number.isNaN(number)) throw new Error(`${name} must be a number, not ${JSON.stringify(text.slice(0, 50))}.`);
    return number;
  }
  if (type === 'boolean') {
    const word = trimmed.toLowerCase();
    if (word !== 'true' && word !== 'false') throw new Error(`${name} must be true or false.`);
    return word === 'true';
  }
  const time = new Date(trimmed);
  if (Number.isNaN(time.getTime())) throw new Error(`${name} must be a date, such as 2026-11-30 or an ISO 8601 time.`);
  return time.toISOString();
};

/** A value as text, as it is edited. */
export const textOfCell = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

/**
 * Fields of each line, in the format of RFC 4180; empty lines are left out. The parser is loaded with the first file.
 * @throws Error with the line of a quote that is never closed
 */
const readCsv = async (text: string): Promise<readonly (readonly string[])[]> => {
  const { parse } = await import('csv-parse/browser/esm/sync');
  return parse(text, {
    bom: true,
    record_delimiter: ['\r\n', '\n'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
};

/** Rows of a CSV file whose first line names columns. @throws Error with the line of the fault */
export const rowsOfCsv = async (
  text: string,
  columns: readonly TableColumn[],
): Promise<Record<string, CellValue>[]> => {
  const [head, ...lines] = await readCsv(text);
  if (head === undefined) throw new Error('The file is empty.');
  const chosen = head.map((name) => {
    const column = columns.find((one) => one.name === name.trim());
    if (column === undefined)
      throw new Error(
        `The table has no column ${JSON.stringify(name)}. It has ${columns.map((c) => c.name).join(', ')}.`,
      );
    return column;
  });
  return lines.map((fields, at) => {
    if (fields.length > chosen.length) throw new Error(`Row ${at + 1} has more fields than the first line.`);
    try {
      return Object.fromEntries(chosen.map((column, index) => [column.name, cellOf(column, fields[index] ?? '')]));
    } catch (error) {
      throw new Error(`Row ${at + 1}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  });
};
