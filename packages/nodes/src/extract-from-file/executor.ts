import type { Json, JsonObject } from '@weft/node-catalogue';
import { runFormatTask } from '../shared/file-formats/run-format-task';
import { type Item, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { booleanParameter, choiceParameter, numberParameter, textParameter } from '../shared/read-parameter';
import { setPath } from '../shared/values/json-path';
import { eachItem, madeItem, type MadeItem } from '../shared/each-item';
import { type FileContext, filesWithout, loadFile, type LoadedFile } from '../shared/files/item-files';
import { readRows, type TableForm } from '../shared/files/sheet-items';
import { decodeText } from '../shared/files/text-encoding';

const TABLES = ['csv', 'html', 'ods', 'rtf', 'xls', 'xlsx'] as const;
const OPERATIONS = [...TABLES, 'binaryToPropery', 'fromJson', 'text', 'fromIcs', 'xml', 'pdf'] as const;
type Operation = (typeof OPERATIONS)[number];

/** Reads files into items. Versions 1 and 1.1. */
export const extractFromFile: NodeExecutor = {
  kind: 'extractFromFile',
  actsOutside: false,
  run: async (context) => output(await eachItem(context, (item, index) => extract(context, item, index))),
};

async function extract(context: FileContext, item: Item, index: number): Promise<readonly MadeItem[]> {
  const operation = choiceParameter(context, 'operation', index, OPERATIONS);
  const property = textParameter(context, 'binaryPropertyName', index) || 'data';
  const file = await loadFile(context, index, property);
  if (isTable(operation)) return (await readRows(context, index, file, formOf(operation))).map((json) => ({ json }));
  const { json, binary } = keptOf(context, item, index, property);
  if (operation === 'pdf') return [madeItem({ ...json, ...(await readPdf(context, index, file)) }, binary)];
  setPath(
    json,
    textParameter(context, 'destinationKey', index) || 'data',
    await valueOf(context, index, operation, file),
  );
  return [madeItem(json, binary)];
}

function isTable(operation: Operation): operation is (typeof TABLES)[number] {
  return TABLES.some((table) => table === operation);
}

function formOf(operation: (typeof TABLES)[number]): TableForm {
  if (operation === 'csv') return 'csv';
  return operation === 'html' ? 'text' : 'detected';
}

/** The remainder of the item. Its other files are kept unless only the JSON is kept. */
function keptOf(
  context: FileContext,
  item: Item,
  index: number,
  property: string,
): { json: JsonObject; binary: Item['binary'] } {
  const keep = textParameter(context, 'options.keepSource', index);
  return {
    json: keep === 'json' || keep === 'both' ? { ...item.json } : {},
    binary: keep === 'binary' || keep === 'both' ? item.binary : filesWithout(item.binary, property),
  };
}

async function valueOf(
  context: FileContext,
  index: number,
  operation: Operation,
  { bytes, reference }: LoadedFile,
): Promise<Json> {
  if (operation === 'binaryToPropery') return Buffer.from(bytes).toString('base64');
  const text = decodeText(
    bytes,
    textParameter(context, 'options.encoding', index),
    booleanParameter(context, 'options.stripBOM', index),
    { contentType: reference.mimeType },
  );
  if (operation === 'fromIcs') return runFormatTask(context, 'readCalendar', { text });
  return operation === 'fromJson' ? parsed(text, index) : text;
}

function parsed(text: string, itemIndex: number): Json {
  if (text.trim() === '') return {};
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new NodeFailure('The file is not valid JSON', { itemIndex, cause });
  }
}

function readPdf(context: FileContext, index: number, { bytes }: LoadedFile): Promise<JsonObject> {
  const password = textParameter(context, 'options.password', index);
  const maxPages = numberParameter(context, 'options.maxPages', index, Infinity);
  return runFormatTask(context, 'readPdf', {
    bytes,
    joinPages: booleanParameter(context, 'options.joinPages', index),
    ...(password === '' ? {} : { password }),
    ...(Number.isFinite(maxPages) ? { maxPages: Math.max(0, maxPages) } : {}),
  });
}
