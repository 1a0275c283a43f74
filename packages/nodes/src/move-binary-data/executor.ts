import type { Json, JsonObject } from '@weft/node-catalogue';
import { isItemJson, type Item, type NodeContext, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { booleanParameter, choiceParameter, textParameter } from '../shared/read-parameter';
import { getPath, setPath, unsetPath } from '../shared/values/json-path';
import { eachItem, madeItem, type MadeItem } from '../shared/each-item';
import { decodeBase64Field } from '../shared/files/base64';
import { type FileContext, filesWithout, loadFile, storeFile, storeNamedFile } from '../shared/files/item-files';
import { decodeText, encodeText } from '../shared/files/text-encoding';

/** Moves the content of a file into JSON, or the reverse. Versions 1 and 1.1. */
export const moveBinaryData: NodeExecutor = {
  kind: 'moveBinaryData',
  actsOutside: false,
  run: async (context) =>
    output(
      // The whole node fails, never a single item.
      await eachItem(stopping(context), (item, index) =>
        choiceParameter(context, 'mode', index, ['binaryToJson', 'jsonToBinary']) === 'binaryToJson'
          ? toJson(context, item, index)
          : toBinary(context, item, index),
      ),
    ),
};

const stopping = (context: NodeContext): Parameters<typeof eachItem>[0] => ({
  items: context.items,
  signal: context.signal,
  pause: () => context.pause(),
  continueOnFail: false,
});

/** An item without the file is left out. */
async function toJson(context: FileContext, item: Item, index: number): Promise<readonly MadeItem[]> {
  const source = textParameter(context, 'sourceKey', index) || 'data';
  if (item.binary === undefined || !Object.hasOwn(item.binary, source)) return [];
  const { bytes, reference } = await loadFile(context, index, source);
  const kept = booleanParameter(context, 'options.keepSource', index) ? item.binary : filesWithout(item.binary, source);
  const text = decodeText(
    bytes,
    textParameter(context, 'options.encoding', index),
    booleanParameter(context, 'options.stripBOM', index),
    { contentType: reference.mimeType },
  );
  if (booleanParameter(context, 'setAllData', index)) return [madeItem(wholeJson(text, index), kept)];
  const json = { ...item.json };
  const value = booleanParameter(context, 'options.keepAsBase64', index) ? Buffer.from(bytes).toString('base64') : text;
  setPath(
    json,
    textParameter(context, 'destinationKey', index) || 'data',
    booleanParameter(context, 'options.jsonParse', index) ? parsed(value, index) : value,
  );
  return [madeItem(json, kept)];
}

/** An item without the field is left out. */
async function toBinary(context: FileContext, item: Item, index: number): Promise<readonly MadeItem[]> {
  const takesAll = booleanParameter(context, 'convertAllData', index);
  const source = textParameter(context, 'sourceKey', index) || 'data';
  const value = takesAll ? item.json : getPath(item.json, source);
  if (value === undefined) return [];
  const isRaw = booleanParameter(context, 'options.useRawData', index) && typeof value !== 'object';
  const isBase64 = booleanParameter(context, 'options.dataIsBase64', index);
  const given = textParameter(context, 'options.mimeType', index);
  const isJson = !isRaw && !isBase64;
  const isFirst = context.version < 1.1;
  // Version 1 sets no file name by default.
  const store = isFirst ? storeFile : storeNamedFile;
  const reference = await store(
    context.ports.files,
    isBase64 ? decodeBase64Field(String(value), source, index).bytes : bytesOf(context, index, value, isRaw),
    textParameter(context, 'options.fileName', index) || undefined,
    given || (isJson || isFirst ? 'application/json' : undefined),
  );
  const binary = { ...item.binary, [textParameter(context, 'destinationKey', index) || 'data']: reference };
  return [madeItem(jsonLeft(context, item.json, index, takesAll, source), binary)];
}

function bytesOf(context: FileContext, index: number, value: Json, isRaw: boolean): Uint8Array {
  const text = isRaw ? String(value) : JSON.stringify(value);
  return encodeText(
    text,
    textParameter(context, 'options.encoding', index) || 'utf8',
    booleanParameter(context, 'options.addBOM', index),
  );
}

function jsonLeft(
  context: FileContext,
  json: JsonObject,
  index: number,
  takesAll: boolean,
  source: string,
): JsonObject {
  if (booleanParameter(context, 'options.keepSource', index)) return json;
  if (takesAll) return {};
  const rest = { ...json };
  unsetPath(rest, source);
  return rest;
}

function wholeJson(text: string, itemIndex: number): JsonObject {
  const value = parsed(text, itemIndex);
  if (isItemJson(value)) return value;
  throw new NodeFailure('The file is not a JSON object or list, so it cannot become a whole item', {
    itemIndex,
    description: 'Turn off "setAllData" to put it into a field.',
  });
}

function parsed(text: string, itemIndex: number): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (cause) {
    throw new NodeFailure('The file is not valid JSON', { itemIndex, cause });
  }
}
