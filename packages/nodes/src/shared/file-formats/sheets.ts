import * as xlsx from '@e965/xlsx';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { decodeBytes, guessEncoding } from '../files/decode-bytes';
import { checkArchive } from './archives';
import { FormatError } from './format-error';
import { MAX_ROWS, type ReadSheetTask, type WriteSheetTask } from './tasks';

/** Maximum number of cells that are read. A small file can declare a table of any size. */
const MAX_CELLS = 5_000_000;

/** True for what the library treats as an archive: it checks only part of the ZIP signature. */
const isZip = ([first, second, third = 9, fourth = 9]: Uint8Array): boolean =>
  first === 0x50 && second === 0x4b && third < 9 && fourth < 9;

/** True for the container of XLS, which is not text. */
const isOldOffice = ([first, second, third, fourth]: Uint8Array): boolean =>
  first === 0xd0 && second === 0xcf && third === 0x11 && fourth === 0xe0;

const readBook = ({ bytes, raw, asText }: ReadSheetTask): xlsx.WorkBook => {
  if (isZip(bytes)) checkArchive(bytes);
  const options: xlsx.ParsingOptions = { raw, sheetRows: MAX_ROWS + 2, cellFormula: false, cellHTML: false };
  return asText && !isZip(bytes) && !isOldOffice(bytes)
    ? xlsx.read(decodeBytes(bytes, guessEncoding(bytes), true), { ...options, type: 'string' })
    : xlsx.read(bytes, { ...options, type: 'array' });
};

const checkRange = (sheet: xlsx.WorkSheet, range: string | number | undefined): void => {
  const given = typeof range === 'string' ? range : sheet['!ref'];
  if (given === undefined) return;
  const { s: from, e: to } = xlsx.utils.decode_range(given);
  // The range of a table without a filled cell ends before it begins.
  if (Math.max(0, to.r - from.r + 1) * Math.max(0, to.c - from.c + 1) > MAX_CELLS)
    throw new FormatError(`The table has more than ${MAX_CELLS} cells. Read part of it: set a range.`);
};

/** Reads one table of a spreadsheet, CSV, HTML or RTF file. @throws FormatError */
export const readSheet = (task: ReadSheetTask): JsonObject[] => {
  const book = readBook(task);
  const name = task.sheetName ?? book.SheetNames[0] ?? '';
  const sheet = Object.hasOwn(book.Sheets, name) ? book.Sheets[name] : undefined;
  if (sheet === undefined)
    throw new FormatError(
      book.SheetNames.length === 0
        ? 'The file contains no sheet.'
        : `The file has no sheet called "${name}". Its sheets: ${book.SheetNames.slice(0, 20).join(', ')}`,
    );
  checkRange(sheet, task.range);
  const options: xlsx.Sheet2JSONOpts = {
    ...(task.range === undefined ? {} : { range: task.range }),
    ...(task.includeEmptyCells ? { defval: '' } : {}),
  };
  const rows = task.hasHeader
    ? xlsx.utils.sheet_to_json<JsonObject>(sheet, options)
    : xlsx.utils.sheet_to_json<Json[]>(sheet, { ...options, header: 1 }).map((row) => ({ row }));
  if (rows.length > MAX_ROWS)
    throw new FormatError(`The table has more than ${MAX_ROWS} rows. Read part of it: set a range.`);
  return rows;
};

/** Writes rows to a file with one sheet. @throws FormatError */
export const writeSheet = ({
  format,
  rows,
  sheetName,
  hasHeader,
  compression,
  delimiter,
}: WriteSheetTask): Uint8Array => {
  if (rows.length > MAX_ROWS) throw new FormatError(`A table can have at most ${MAX_ROWS} rows.`);
  const sheet = xlsx.utils.json_to_sheet([...rows], { skipHeader: !hasHeader });
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, sheet, sheetName);
  const written = bytesOf(book, {
    bookType: format,
    bookSST: false,
    compression,
    ...(delimiter === undefined ? {} : { FS: delimiter }),
  });
  if (!(written instanceof Uint8Array)) throw new FormatError(`The format ${format} could not be written.`);
  return written;
};

/** Maximum number of characters in a cell of Excel's formats. */
const MAX_CELL = 32_767;

const bytesOf = (book: xlsx.WorkBook, options: xlsx.WritingOptions): unknown => {
  try {
    return xlsx.write(book, { ...options, type: 'buffer' });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FormatError(
      reason.includes(String(MAX_CELL))
        ? `A cell can hold at most ${MAX_CELL} characters. Shorten the strings, or write CSV or JSON.`
        : `The file cannot be written: ${reason}`,
      { cause },
    );
  }
};
