import { type BinaryReference, type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { eachItem, oneOfAll } from '../shared/each-item';
import { loadFile } from '../shared/files/item-files';
import { readRows, SHEET_FORMATS, writeItems } from '../shared/files/sheet-items';

/** Reads tables from files, or writes them. Versions 1 and 2: version 2 reads CSV as strings. */
export const spreadsheetFile: NodeExecutor = {
  kind: 'spreadsheetFile',
  actsOutside: false,
  run: async (context) => {
    if (context.items.length === 0) return output([]);
    const operation = choiceParameter(context, 'operation', 0, ['fromFile', 'toFile']);
    return output(await (operation === 'fromFile' ? fromFile(context) : toFile(context)));
  },
};

function fromFile(context: NodeContext): Promise<Item[]> {
  return eachItem(context, async (_, index) => {
    const file = await loadFile(context, index, textParameter(context, 'binaryPropertyName', index) || 'data');
    const format = choiceParameter(context, 'fileFormat', index, ['autodetect', ...SHEET_FORMATS], 'autodetect');
    const isCsv = format === 'csv' || (format === 'autodetect' && looksLikeCsv(file.reference));
    const isText = isCsv || format === 'html';
    const form = isCsv && context.version >= 2 ? 'csv' : isText ? 'text' : 'detected';
    return (await readRows(context, index, file, form)).map((json) => ({ json }));
  });
}

function looksLikeCsv({ mimeType, fileExtension }: BinaryReference): boolean {
  return mimeType === 'text/csv' || (mimeType === 'text/plain' && fileExtension === 'csv');
}

function toFile(context: NodeContext): Promise<Item[]> {
  const format = choiceParameter(context, 'fileFormat', 0, SHEET_FORMATS, 'xls');
  return oneOfAll(context, async () => {
    const reference = await writeItems(context, context.items, format, 'spreadsheet');
    return { json: {}, binary: { [textParameter(context, 'binaryPropertyName', 0) || 'data']: reference } };
  });
}
