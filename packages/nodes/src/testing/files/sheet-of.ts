import { utils, write } from '@e965/xlsx';
import type { JsonObject } from '@weft/node-catalogue';

/** A file with one sheet, `Sheet`, whose columns are the fields of the rows. */
export const sheetOf = (format: 'html' | 'ods' | 'rtf' | 'xls' | 'xlsx', rows: readonly JsonObject[]): Uint8Array => {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.json_to_sheet([...rows]), 'Sheet');
  const written: unknown = write(book, { type: 'buffer', bookType: format });
  if (!(written instanceof Uint8Array)) throw new Error(`The format ${format} was not written.`);
  return written;
};
