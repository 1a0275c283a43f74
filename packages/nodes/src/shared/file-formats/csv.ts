import type { Json, JsonObject } from '@weft/node-catalogue';
import { parse } from 'csv-parse/sync';
import { decodeBytes, guessEncoding, UnknownEncoding } from '../files/decode-bytes';
import { FormatError } from './format-error';
import { MAX_ROWS, type ReadCsvTask } from './tasks';

/** A byte order mark is never part of the first name. */
const decode = ({ bytes, encoding }: ReadCsvTask): string => {
  try {
    return decodeBytes(bytes, encoding ?? guessEncoding(bytes), true);
  } catch (error) {
    if (error instanceof UnknownEncoding) throw new FormatError(error.message, { cause: error });
    throw error;
  }
};

const withoutEmpty = (row: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''));

/** Reads CSV. @throws Error with the line of an unreadable record */
export const readCsv = (task: ReadCsvTask): JsonObject[] => {
  const most = Math.min(task.maxRows ?? MAX_ROWS + 1, MAX_ROWS + 1);
  let skipped = 0;
  const options = {
    delimiter: task.delimiter,
    from_line: Math.max(1, task.fromLine),
    to: Math.max(1, most),
    relax_quotes: task.relaxQuotes,
    skip_empty_lines: true,
    skip_records_with_error: task.skipBadRecords,
    on_skip: () => {
      skipped += 1;
      return undefined;
    },
    max_record_size: 4 * 1024 * 1024,
  };
  const text = decode(task);
  const rows: JsonObject[] = task.hasHeader
    ? parse<Record<string, Json>>(text, { ...options, columns: true })
    : parse(text, options).map((row) => ({
        row: task.includeEmptyCells ? [...row] : withoutEmpty(Object.fromEntries(row.entries())),
      }));
  if (task.maxSkipped !== undefined && skipped > task.maxSkipped)
    throw new FormatError(
      `The file has ${skipped} unreadable records, more than the ${task.maxSkipped} that may be skipped.`,
    );
  if (rows.length > MAX_ROWS)
    throw new FormatError(`The file has more than ${MAX_ROWS} rows. Read part of it: set a maximum number of rows.`);
  return task.includeEmptyCells || !task.hasHeader ? rows : rows.map(withoutEmpty);
};
