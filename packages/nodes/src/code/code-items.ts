import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type Item, NodeFailure, type PairedItem } from '@weft/engine';
import type { CodeValue } from '@weft/sandbox';
import type { InputFiles } from './input-files';

/** Fields of an item. All other fields belong in `json`. */
const ITEM_FIELDS = new Set([
  'json',
  'binary',
  'pairedItem',
  'error',
  'index',
  'executionStatus',
  'metadata',
  'evaluationData',
  'sendMessage',
  'redaction',
]);

/**
 * The items returned by code that was called once: an object, an array of objects, or items; null means none.
 * @throws NodeFailure for anything else
 */
export async function itemsOfValue({ value, type }: CodeValue, files: InputFiles): Promise<Item[]> {
  if (type === 'null') return [];
  if (!isObjectOrList(value)) throw notItems();
  const items: Item[] = [];
  for (const [index, item] of asItems(Array.isArray(value) ? value : [value]).entries()) {
    const read = readItem(item, index, files);
    items.push(read instanceof Promise ? await read : read);
  }
  return items;
}

/**
 * The item returned by code that was called for one item, linked to it. A falsy value drops the item. Fields other than
 * `json` and `binary` are left out.
 * @throws NodeFailure for anything but one object
 */
export async function itemOfValue({ value }: CodeValue, index: number, files: InputFiles): Promise<Item | undefined> {
  if (value === undefined || value === null || value === false || value === 0 || value === '') return undefined;
  if (!isJsonObject(value)) {
    throw new NodeFailure(`A 'json' property isn't an object [item ${index}]`, {
      itemIndex: index,
      description: Array.isArray(value)
        ? 'An array was returned. To return several items, run the code once for all items.'
        : `Return an object for each item, or null to drop it. The code returned a ${typeof value}.`,
    });
  }
  const { json = null, binary } = value;
  const isItem = 'json' in value || binary !== undefined;
  const item = { json: isItem ? ('json' in value ? json : {}) : value, ...(binary === undefined ? {} : { binary }) };
  const read = await readItem(item, index, files);
  return { ...read, pairedItem: { item: index } };
}

/**
 * Reads one item in item form, synchronously unless it has files.
 * @param isJson decides what an item may have as `json`
 * @throws NodeFailure
 */
export function readItem(
  { json, binary, pairedItem, error }: JsonObject,
  index: number,
  files: InputFiles,
  isJson: (value: unknown) => value is JsonObject = isJsonObject,
): Item | Promise<Item> {
  if (!isJson(json)) {
    throw new NodeFailure(`A 'json' property isn't an object [item ${index}]`, {
      itemIndex: index,
      description: "In the returned data, every field named 'json' must be an object.",
    });
  }
  const item = withRest(json, readLinks(pairedItem), error);
  if (binary === undefined || binary === null) return item;
  if (!isJsonObject(binary)) {
    throw new NodeFailure(`A 'binary' property isn't an object [item ${index}]`, {
      itemIndex: index,
      description: "In the returned data, every field named 'binary' must be an object.",
    });
  }
  return withFiles(item, binary, index, files);
}

/** A fast path, since most items have only JSON and there may be many. */
function withRest(json: JsonObject, links: Item['pairedItem'], error: Json | undefined): Item {
  const item: Item = links === undefined ? { json } : { json, pairedItem: links };
  const message = isJsonObject(error) ? error['message'] : undefined;
  return typeof message === 'string' ? { ...item, error: { message } } : item;
}

async function withFiles(item: Item, binary: JsonObject, index: number, files: InputFiles): Promise<Item> {
  const references = await files.references(binary, index);
  return Object.keys(references).length === 0 ? item : { ...item, binary: references };
}

/** Wraps plain objects into items; rejects a mix of both. */
function asItems(values: readonly Json[]): JsonObject[] {
  const objects = values.map((value) => {
    if (!isJsonObject(value)) throw notItems();
    return value;
  });
  if (objects.some((object) => Object.hasOwn(object, 'json'))) return objects.map(checkFields);
  // An item may have only files: its other fields are its JSON then.
  if (objects.some((object) => isJsonObject(object['binary'])))
    return objects.map(({ binary, pairedItem, ...json }) => ({
      json,
      ...(binary === undefined ? {} : { binary }),
      ...(pairedItem === undefined ? {} : { pairedItem }),
    }));
  return objects.map((json) => ({ json }));
}

function checkFields(object: JsonObject, index: number): JsonObject {
  const unknown = Object.keys(object).find((name) => !ITEM_FIELDS.has(name));
  if (unknown === undefined) return object;
  const hasItemField = Object.keys(object).some((name) => ITEM_FIELDS.has(name));
  throw new NodeFailure(
    `${hasItemField ? 'Invalid output format' : `Unknown top-level item key: ${unknown}`} [item ${index}]`,
    {
      itemIndex: index,
      description: `Put "${unknown}" and all other fields of an item under \`.json\`: \`{ json: { name: 1 } }\`.`,
    },
  );
}

function isObjectOrList(value: unknown): value is JsonObject | Json[] {
  return Array.isArray(value) || isJsonObject(value);
}

/** Item linking as set by code. Anything invalid is left out. */
function readLinks(value: Json | undefined): Item['pairedItem'] {
  if (typeof value === 'number') return value;
  if (!Array.isArray(value)) return pairOf(value);
  const pairs = value.map(pairOf).filter((pair) => pair !== undefined);
  return pairs.length === 0 ? undefined : pairs;
}

function pairOf(value: Json | undefined): PairedItem | undefined {
  if (typeof value === 'number') return { item: value };
  if (!isJsonObject(value) || typeof value['item'] !== 'number') return undefined;
  return { item: value['item'], ...(typeof value['input'] === 'number' ? { input: value['input'] } : {}) };
}

function notItems(): NodeFailure {
  return new NodeFailure("Code doesn't return items properly", {
    description: 'Return an array of objects, one for each item to return.',
  });
}
