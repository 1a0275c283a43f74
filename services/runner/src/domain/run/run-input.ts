import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { StoredNodeRun } from '../claims/claimed-execution';
import {
  type BinaryReference,
  isFileReference,
  isItemJson,
  type Item,
  type NodeRunRecord,
  noteSize,
  readApproval,
  type ResultItem,
  type Resume,
  withFacts,
} from '@weft/engine';

const decoder = new TextDecoder();

const isItem = (value: Json): value is JsonObject & { json: JsonObject } =>
  isJsonObject(value) && isItemJson(value['json']);

/**
 * Files of an item with their metadata, in which the size may be a number. Values that do not refer to a file are
 * omitted.
 */
const filesOf = (binary: Json | undefined): Pick<Item, 'binary'> => {
  if (!isJsonObject(binary)) return {};
  const files = Object.entries(binary).flatMap(([name, value]): [string, BinaryReference][] =>
    isFileReference(value) ? [[name, withFacts(value, {})]] : [],
  );
  return files.length === 0 ? {} : { binary: Object.fromEntries(files) };
};

const itemOf = (value: Json): Item => {
  if (isItem(value)) return { json: value.json, ...filesOf(value['binary']) };
  return { json: isJsonObject(value) ? value : { data: value } };
};

/**
 * The items of the start node from the stored input: an array of items unchanged, an object as one item, nothing as one
 * empty item.
 */
export const readInput = (input: Uint8Array): readonly Item[] => {
  if (input.length === 0) return [{ json: {} }];
  const value: Json = JSON.parse(decoder.decode(input));
  return Array.isArray(value) ? value.map(itemOf) : [itemOf(value)];
};

/** The result of a sub-workflow as JSON: an array of items, each with its origin; anything else counts as empty. */
export const readResult = (itemsJson: Uint8Array): readonly ResultItem[] => {
  const value: Json = itemsJson.length === 0 ? [] : JSON.parse(decoder.decode(itemsJson));
  return Array.isArray(value) ? value.map((item) => ({ ...itemOf(item), ...originOf(item) })) : [];
};

const originOf = (value: Json): Pick<ResultItem, 'origin'> =>
  isItem(value) && typeof value['origin'] === 'number' ? { origin: value['origin'] } : {};

/** Run records by node from the stored node runs, which are in chronological order. */
export const readRecords = (runs: readonly StoredNodeRun[]): ReadonlyMap<string, readonly NodeRunRecord[]> => {
  const records = new Map<string, NodeRunRecord[]>();
  for (const run of runs) {
    const record: NodeRunRecord = JSON.parse(decoder.decode(run.recordJson));
    noteSize(record, run.recordJson.length);
    const known = records.get(run.node);
    if (known === undefined) records.set(run.node, [record]);
    else known.push(record);
  }
  return records;
};

/**
 * The event that ended the wait of a run; undefined if it did not wait. An unknown event counts as a timer: the wait is
 * over.
 */
export const readResumption = (resume: Uint8Array): Resume | undefined => {
  if (resume.length === 0) return undefined;
  const value: Json = JSON.parse(decoder.decode(resume));
  const facts = isJsonObject(value) ? value : {};
  const items = Array.isArray(facts['items']) ? facts['items'].map(itemOf) : [];
  if (facts['kind'] === 'approval') return { kind: 'approval', approval: readApproval(facts) };
  if (facts['kind'] === 'webhook') return { kind: 'webhook', item: items[0] ?? { json: {} } };
  return facts['kind'] === 'child' ? { kind: 'child' } : { kind: 'timer' };
};
