import type { JsonObject } from '@weft/node-catalogue';
import type { SheetFormat } from '../file-formats/tasks';
import { runFormatTask } from '../file-formats/run-format-task';
import type { BinaryReference, Item } from '@weft/engine';
import { booleanParameter, numberParameter, textParameter } from '../read-parameter';
import { type FileContext, type LoadedFile, storeFile } from './item-files';

/** All formats that tables are read from and written to. */
export const SHEET_FORMATS: readonly SheetFormat[] = ['csv', 'html', 'ods', 'rtf', 'xls', 'xlsx'];

/** How a table is read: CSV with its separate options, another text format, or by the library's own detection. */
export type TableForm = 'csv' | 'text' | 'detected';

/** The rows of a file as JSON. Options are read for the item. */
export async function readRows(
  context: FileContext,
  itemIndex: number,
  { bytes }: LoadedFile,
  form: TableForm,
): Promise<readonly JsonObject[]> {
  const hasHeader = booleanParameter(context, 'options.headerRow', itemIndex);
  const includeEmptyCells = booleanParameter(context, 'options.includeEmptyCells', itemIndex);
  if (form === 'csv') {
    const encoding = textParameter(context, 'options.encoding', itemIndex);
    const maxRows = numberParameter(context, 'options.maxRowCount', itemIndex, -1);
    const maxSkipped = numberParameter(context, 'options.skipRecordsWithErrors.value.maxSkippedRecords', itemIndex, -1);
    return runFormatTask(context, 'readCsv', {
      bytes,
      hasHeader,
      includeEmptyCells,
      ...(encoding === '' ? {} : { encoding }),
      delimiter: textParameter(context, 'options.delimiter', itemIndex) || ',',
      fromLine: numberParameter(context, 'options.fromLine', itemIndex, 0),
      ...(maxRows > 0 ? { maxRows } : {}),
      relaxQuotes: booleanParameter(context, 'options.relaxQuotes', itemIndex),
      skipBadRecords: booleanParameter(context, 'options.skipRecordsWithErrors.value.enabled', itemIndex),
      ...(maxSkipped > 0 ? { maxSkipped } : {}),
    });
  }
  const range = textParameter(context, 'options.range', itemIndex).trim();
  const sheetName = textParameter(context, 'options.sheetName', itemIndex);
  return runFormatTask(context, 'readSheet', {
    bytes,
    hasHeader,
    includeEmptyCells,
    raw: booleanParameter(context, 'options.rawData', itemIndex),
    asText: form === 'text' || booleanParameter(context, 'options.readAsString', itemIndex),
    ...(sheetName === '' ? {} : { sheetName }),
    ...(range === '' ? {} : { range: /^\d+$/.test(range) ? Number(range) : range }),
  });
}

/** Writes a file with one row per item. Nested fields become columns such as `a.b`. Uses the first item's options. */
export async function writeItems(
  context: FileContext,
  items: readonly Item[],
  format: SheetFormat,
  defaultName: string,
): Promise<BinaryReference> {
  const delimiter = textParameter(context, 'options.delimiter', 0);
  const bytes = await runFormatTask(context, 'writeSheet', {
    format,
    rows: items.map((item) => flatten(item.json)),
    sheetName: textParameter(context, 'options.sheetName', 0) || 'Sheet',
    hasHeader: booleanParameter(context, 'options.headerRow', 0),
    compression: booleanParameter(context, 'options.compression', 0),
    ...(delimiter === '' || format !== 'csv' ? {} : { delimiter }),
  });
  return storeFile(
    context.ports.files,
    bytes,
    textParameter(context, 'options.fileName', 0) || `${defaultName}.${format}`,
  );
}

/** Fields of nested objects by path. */
function flatten(json: JsonObject): JsonObject {
  const flat: JsonObject = {};
  for (const [name, value] of Object.entries(json)) {
    if (typeof value !== 'object' || value === null) {
      flat[name] = value;
      continue;
    }
    const inner = flatten(Array.isArray(value) ? Object.fromEntries(value.entries()) : value);
    for (const [path, entry] of Object.entries(inner)) flat[`${name}.${path}`] = entry;
  }
  return flat;
}
