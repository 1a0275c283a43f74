import type { Json } from '@weft/node-catalogue';
import {
  type BinaryReference,
  type Item,
  type NodeContext,
  type NodeExecutor,
  NodeFailure,
  output,
} from '@weft/engine';
import { booleanParameter, choiceParameter, textParameter } from '../shared/read-parameter';
import { getPath } from '../shared/values/json-path';
import { decodeBase64Field } from '../shared/files/base64';
import { writeEvent } from '../shared/files/calendar-event';
import { eachItem, oneOfAll } from '../shared/each-item';
import { type FileContext, storeFile, storeNamedFile } from '../shared/files/item-files';
import { SHEET_FORMATS, writeItems } from '../shared/files/sheet-items';
import { encodeText } from '../shared/files/text-encoding';

const EACH = ['iCal', 'toText', 'toBinary', 'toJson'] as const;

/** Writes item data to files. Versions 1 and 1.1. */
export const convertToFile: NodeExecutor = {
  kind: 'convertToFile',
  actsOutside: false,
  run: async (context) => {
    if (context.items.length === 0) return output([]);
    const operation = choiceParameter(context, 'operation', 0, [...SHEET_FORMATS, ...EACH]);
    const format = SHEET_FORMATS.find((one) => one === operation);
    if (format !== undefined)
      return output(await oneFile(context, () => writeItems(context, context.items, format, 'File')));
    if (operation === 'toJson' && choiceParameter(context, 'mode', 0, ['once', 'each']) === 'once') {
      return output(
        await oneFile(context, () =>
          jsonFile(
            context,
            context.items.map((item) => item.json),
            0,
          ),
        ),
      );
    }
    return output(
      await eachItem(context, async (item, index) => [
        { json: {}, binary: { [property(context, index)]: await fileOf(context, operation, item, index) } },
      ]),
    );
  },
};

/** Combines all items into one. */
function oneFile(context: NodeContext, write: () => Promise<BinaryReference>): Promise<Item[]> {
  return oneOfAll(context, async () => ({ json: {}, binary: { [property(context, 0)]: await write() } }));
}

function property(context: FileContext, index: number): string {
  return textParameter(context, 'binaryPropertyName', index) || 'data';
}

function fileOf(context: FileContext, operation: string, item: Item, index: number): Promise<BinaryReference> {
  if (operation === 'iCal') return writeEvent(context, index);
  if (operation === 'toJson') return jsonFile(context, item.json, index);
  const source = textParameter(context, 'sourceProperty', index);
  const value = source === '' ? item.json : getPath(item.json, source);
  if (value === undefined) {
    throw new NodeFailure(`The value in "${source}" is not set`, {
      itemIndex: index,
      description: `The item has these fields: ${Object.keys(item.json).slice(0, 20).join(', ') || 'none'}.`,
    });
  }
  const isText = operation === 'toText';
  const takesBase64 = context.version >= 1.1 || booleanParameter(context, 'options.dataIsBase64', index, true);
  const isBase64 = !isText && takesBase64;
  const isObject = !isBase64 && typeof value === 'object';
  const given = isText ? 'text/plain' : textParameter(context, 'options.mimeType', index) || undefined;
  const decoded = isBase64 ? decodeBase64Field(value, source, index) : undefined;
  const type = isObject ? 'application/json' : (given ?? decoded?.mimeType);
  const fileName = textParameter(context, 'options.fileName', index) || (isText ? 'file.txt' : undefined);
  const bytes = decoded?.bytes ?? encoded(context, isObject ? JSON.stringify(value) : String(value), index);
  return storeNamedFile(context.ports.files, bytes, fileName, type);
}

function jsonFile(context: FileContext, value: Json, index: number): Promise<BinaryReference> {
  const text = booleanParameter(context, 'options.format', index)
    ? JSON.stringify(value, null, 2)
    : JSON.stringify(value);
  return storeFile(
    context.ports.files,
    encoded(context, text, index),
    textParameter(context, 'options.fileName', index) || 'file.json',
    'application/json',
  );
}

function encoded(context: FileContext, text: string, index: number): Uint8Array {
  return encodeText(
    text,
    textParameter(context, 'options.encoding', index) || 'utf8',
    booleanParameter(context, 'options.addBOM', index),
  );
}
