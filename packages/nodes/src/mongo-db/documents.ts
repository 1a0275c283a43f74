import type { Json, JsonObject } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure } from '@weft/engine';
import { type MongoChange, type MongoDocument, mongoBytesOf, mongoIdOf } from '@weft/outbound';
import type { MadeItem } from '../shared/each-item';
import { storeFile } from '../shared/files/item-files';
import { booleanParameter, namesParameter, textParameter } from '../shared/read-parameter';
import { jsonOfRow } from '../shared/sql/json-of-row';
import { getPath, setPath } from '../shared/values/json-path';

/** Which fields of an item make up a document. */
export interface DocumentRules {
  readonly fields: readonly string[];
  readonly dateFields: readonly string[];
  /** True: names with dots lead into objects. */
  readonly dotted: boolean;
}

/** Reads the options for an item from the parameters. */
export function documentRules(context: NodeContext, itemIndex: number): DocumentRules {
  return {
    fields: namesParameter(context, 'fields', itemIndex),
    dateFields: namesParameter(context, 'options.dateFields', itemIndex),
    dotted: booleanParameter(context, 'options.useDotNotation', itemIndex),
  };
}

/**
 * The document of an item: the given fields, null where the item has none.
 * @param flat true: dotted names are not split, as in updates
 * @throws NodeFailure for an invalid date
 */
export function documentOf(item: Item, rules: DocumentRules, flat: boolean, itemIndex: number): MongoDocument {
  const { json } = item;
  const document: JsonObject = {};
  const dates: [string, Date][] = [];
  for (const field of rules.fields) {
    const value = (rules.dotted ? getPath(json, field) : own(json, field)) ?? null;
    if (rules.dateFields.includes(field) && isSet(value)) dates.push([field, dateOf(field, value, itemIndex)]);
    if (rules.dotted && !flat) setPath(document, field, value);
    else Object.defineProperty(document, field, { value, enumerable: true, writable: true, configurable: true });
  }
  return dates.reduce<MongoDocument>(
    (made, [field, date]) => withDate(made, rules.dotted && !flat ? field.split('.') : [field], date),
    document,
  );
}

/** A filter by the value of a field, and the new document; undefined for an item without the value. */
export function changeOf(
  context: NodeContext,
  itemIndex: number,
  flat: boolean,
  from = itemIndex,
): MongoChange | undefined {
  const item = context.items[itemIndex] ?? { json: {} };
  const key = textParameter(context, 'updateKey', from).trim();
  const rules = documentRules(context, from);
  const value = own(item.json, key);
  if (value === undefined) return undefined;
  const fields = rules.fields.includes(key) || key === '' ? rules.fields : [...rules.fields, key];
  const document = documentOf(item, { ...rules, fields }, flat, itemIndex);
  const wanted = document[key] ?? null;
  if (typeof wanted === 'object' && wanted !== null && !(wanted instanceof Date))
    throw new NodeFailure(`The value of "${key}" must be a string, number, boolean, or date`, {
      itemIndex,
      description: 'Objects and arrays are not allowed as the value to match.',
    });
  const upsert = booleanParameter(context, 'upsert', from);
  if (key !== '_id') return { filter: Object.fromEntries([[key, wanted]]), document, upsert };
  const { _id, ...others } = document;
  return { filter: { _id: mongoIdOf(String(_id)) }, document: others, upsert };
}

/** A document as an item. From version 1.4 on its top-level binary fields become files. */
export async function itemOf(context: NodeContext, document: MongoDocument): Promise<MadeItem> {
  const bytes =
    context.version < 1.4 ? [] : Object.entries(document).filter(([, value]) => mongoBytesOf(value) !== undefined);
  if (bytes.length === 0) return { json: jsonOfRow(document) };
  const names = new Set(bytes.map(([name]) => name));
  const rest = Object.entries(document).filter(([name]) => !names.has(name));
  const files: [string, Awaited<ReturnType<typeof storeFile>>][] = [];
  for (const [name, value] of bytes)
    files.push([name, await storeFile(context.ports.files, mongoBytesOf(value) ?? new Uint8Array(), name)]);
  return { json: jsonOfRow(Object.fromEntries(rest)), binary: Object.fromEntries(files) };
}

const own = (json: JsonObject, name: string): Json | undefined => (Object.hasOwn(json, name) ? json[name] : undefined);

const isSet = (value: Json): boolean => value !== null && value !== '' && value !== 0 && value !== false;

function dateOf(field: string, value: Json, itemIndex: number): Date {
  const date = new Date(typeof value === 'number' ? value : String(value));
  if (!Number.isNaN(date.getTime())) return date;
  throw new NodeFailure(`The value of the date field "${field}" is not a date`, { itemIndex });
}

/** A copy with a date at an existing path. JSON has no dates, so they are inserted at the end. */
function withDate(document: MongoDocument, [step = '', ...rest]: readonly string[], date: Date): MongoDocument {
  const inner = document[step];
  const value = rest.length === 0 ? date : withDate(isDocument(inner) ? inner : {}, rest, date);
  return Object.fromEntries(Object.entries(document).map(([name, old]) => [name, name === step ? value : old]));
}

function isDocument(value: unknown): value is MongoDocument {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
