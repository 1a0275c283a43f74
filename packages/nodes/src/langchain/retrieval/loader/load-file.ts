import { type NodeContext, NodeFailure, type RetrievalDocument } from '@weft/engine';
import { isJsonObject, type Json, type JsonObject, textField } from '@weft/node-catalogue';
import { parseJson } from '@weft/service-kit/json';
import { runFormatTask } from '../../../shared/file-formats/run-format-task';
import { decodeBytes, guessEncoding } from '../../../shared/files/decode-bytes';
import { loadFile } from '../../../shared/files/item-files';
import { booleanParameter, choiceParameter, textParameter } from '../../../shared/read-parameter';
import { blob, documentsOfJson } from './load-json';

const LOADERS = ['auto', 'csvLoader', 'jsonLoader', 'pdfLoader', 'textLoader'] as const;
type Format = Exclude<(typeof LOADERS)[number], 'auto'>;

const FORMATS: Readonly<Record<string, Format>> = {
  'application/pdf': 'pdfLoader',
  'application/json': 'jsonLoader',
  'text/csv': 'csvLoader',
};

/** Types of files that are not text, and that nothing here reads. */
const UNREADABLE = /^(?:image|audio|video|font)\/|zip|officedocument|msword|ms-excel|ms-powerpoint|octet-stream/;
const MAX_ROWS = 10_000;

/** The documents of one file of an item. @throws NodeFailure for a type that cannot be read, and for a broken file */
export async function documentsOfFile(
  context: NodeContext,
  itemIndex: number,
  property: string,
): Promise<RetrievalDocument[]> {
  const { reference, bytes } = await loadFile(context, itemIndex, property);
  const { mimeType } = reference;
  switch (formatOf(context, itemIndex, mimeType, property)) {
    case 'pdfLoader':
      return pdf(context, itemIndex, bytes);
    case 'csvLoader':
      return csv(context, itemIndex, bytes);
    case 'jsonLoader':
      return documentsOfJson(
        jsonOf(bytes, property, itemIndex),
        textParameter(context, 'options.pointers', itemIndex),
        itemIndex,
      );
    case 'textLoader': {
      const pageContent = decodeBytes(bytes, guessEncoding(bytes, { contentType: mimeType }), true);
      return [{ pageContent, metadata: blob(mimeType) }];
    }
  }
}

function formatOf(context: NodeContext, itemIndex: number, mimeType: string, property: string): Format {
  const chosen = choiceParameter(context, 'loader', itemIndex, [...LOADERS]);
  if (chosen !== 'auto') return chosen;
  if (UNREADABLE.test(mimeType))
    throw new NodeFailure(`The file in "${property}" has the type ${mimeType}, which cannot be loaded`, {
      itemIndex,
      description: 'Use a text, CSV, JSON or PDF file, or the node Extract from File, and load its JSON.',
    });
  return FORMATS[mimeType] ?? 'textLoader';
}

async function pdf(context: NodeContext, itemIndex: number, bytes: Uint8Array): Promise<RetrievalDocument[]> {
  const joinPages = !booleanParameter(context, 'options.splitPages', itemIndex, false);
  const { text } = await runFormatTask(context, 'readPdf', { bytes, joinPages });
  const pages = Array.isArray(text) ? text : [text ?? ''];
  return pages.flatMap((page, index) => {
    if (typeof page !== 'string' || page.trim() === '') return [];
    const place: JsonObject = joinPages ? {} : { loc: { pageNumber: index + 1 } };
    return [{ pageContent: page, metadata: blob('application/pdf', place) }];
  });
}

async function csv(context: NodeContext, itemIndex: number, bytes: Uint8Array): Promise<RetrievalDocument[]> {
  const column = textParameter(context, 'options.column', itemIndex);
  const separator = textParameter(context, 'options.separator', itemIndex);
  const rows = await runFormatTask(context, 'readCsv', {
    bytes,
    delimiter: separator === '' ? ',' : separator,
    fromLine: 1,
    maxRows: MAX_ROWS,
    hasHeader: true,
    includeEmptyCells: true,
    relaxQuotes: true,
    skipBadRecords: false,
  });
  if (column !== '' && rows.length > 0 && !rows.some((row) => Object.hasOwn(row, column)))
    throw new NodeFailure(`The CSV file has no column "${column}"`, {
      itemIndex,
      description: `It has: ${Object.keys(rows[0] ?? {}).join(', ')}`.slice(0, 500),
    });
  return rows.map((row, index) => ({
    pageContent: column === '' ? lineOf(row) : (textField(row, column) ?? ''),
    metadata: blob('text/csv', { line: index + 1 }),
  }));
}

/** A row as lines of names and values. */
const lineOf = (row: JsonObject): string =>
  Object.entries(row)
    .map(([name, value]) => `${name}: ${isJsonObject(value) ? JSON.stringify(value) : String(value)}`)
    .join('\n');

function jsonOf(bytes: Uint8Array, property: string, itemIndex: number): Json {
  try {
    return parseJson(Buffer.from(bytes));
  } catch (thrown) {
    throw new NodeFailure(`The file in "${property}" is not JSON that can be read`, { itemIndex, cause: thrown });
  }
}
