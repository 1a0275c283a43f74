import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { stableText } from '../shared/lists/json-keys';

/** Static data visible to the code of one node. */
export interface StaticData {
  readonly global: JsonObject;
  readonly node: JsonObject;
}

/** Values of the fields before a write, by part and field: an array with the value, empty if there was none. */
type Before = JsonObject;

/** A write. A node run that is repeated after a crash learns from it what it did. */
interface StaticWrite {
  readonly operation: string;
  /** Null if it was too large to be recorded. */
  readonly before: Before | null;
}

/** Static data of a workflow: parts by name (`global`, `node:<name>`), and the last writes, the newest at the end. */
export interface StoredStaticData {
  readonly parts: JsonObject;
  readonly writes: readonly StaticWrite[];
}

/** The reader: the key of the node's part, and the node run. */
export interface StaticDataUser {
  readonly nodePart: string;
  readonly operation: string;
}

const GLOBAL = 'global';
const WRITES_KEPT = 50;
/** Limits in characters of the earlier values that one write, and all together, record. */
const MAX_BEFORE = 16_000;
const MAX_BEFORE_TOGETHER = 200_000;

/** Reads stored data. Unknown formats count as empty. */
export function readStoredStaticData(value: Json | undefined): StoredStaticData {
  if (!isJsonObject(value)) return { parts: {}, writes: [] };
  const { parts, writes } = value;
  return {
    parts: isJsonObject(parts) ? parts : {},
    writes: (Array.isArray(writes) ? writes : []).flatMap((write): StaticWrite[] => {
      if (!Array.isArray(write) || typeof write[0] !== 'string') return [];
      return [{ operation: write[0], before: isJsonObject(write[1]) ? write[1] : null }];
    }),
  };
}

/** The data visible to a node run. A repeated run sees what it saw the first time, without its own changes. */
export function seenStaticData(stored: StoredStaticData, { nodePart, operation }: StaticDataUser): StaticData {
  const before = stored.writes.find((write) => write.operation === operation)?.before ?? {};
  const seen = (part: string): JsonObject => {
    const fields = structuredClone(objectIn(stored.parts, part));
    for (const [field, value] of Object.entries(objectIn(before, part))) put(fields, field, value);
    return fields;
  };
  return { global: seen(GLOBAL), node: seen(nodePart) };
}

/**
 * The value to store after the changes of a node run; undefined if there are none. Only the fields that the run changed
 * are replaced; other fields keep their stored values, whichever run wrote them. If the operation was applied before,
 * the new changes replace its earlier ones, unless other runs have written since.
 */
export function changedStaticData(
  stored: StoredStaticData,
  user: StaticDataUser,
  seen: StaticData,
  wanted: StaticData,
): StoredStaticData | undefined {
  const index = stored.writes.findIndex((write) => write.operation === user.operation);
  const own = stored.writes[index];
  if (own?.before === null) return undefined;
  const isNewest = index === stored.writes.length - 1;
  const parts: JsonObject = { ...stored.parts };
  const before: JsonObject = structuredClone(own?.before ?? {});
  for (const [part, was, is] of [
    [GLOBAL, seen.global, wanted.global],
    [user.nodePart, seen.node, wanted.node],
  ] as const) {
    const ownFields = objectIn(before, part);
    const fields = { ...objectIn(parts, part) };
    const changed = [...new Set([...Object.keys(was), ...Object.keys(is), ...Object.keys(ownFields)])]
      .filter((field) => (Object.hasOwn(ownFields, field) ? isNewest : !isSame(was, is, field)))
      .filter((field) => !isSame(fields, is, field));
    for (const field of changed) {
      if (!Object.hasOwn(ownFields, field)) put(ownFields, field, held(fields, field), true);
      put(fields, field, held(is, field));
    }
    if (changed.length > 0) parts[part] = fields;
    if (Object.keys(ownFields).length > 0) before[part] = ownFields;
  }
  if (stableText(parts) === stableText(stored.parts)) return undefined;
  const write = { operation: user.operation, before: JSON.stringify(before).length > MAX_BEFORE ? null : before };
  return {
    parts,
    writes:
      own === undefined ? trimmed([...stored.writes, write]) : stored.writes.map((one) => (one === own ? write : one)),
  };
}

/** The stored form as JSON. */
export function staticDataJson({ parts, writes }: StoredStaticData): JsonObject {
  return { parts, writes: writes.map(({ operation, before }): Json => [operation, before]) };
}

/** As many of the newest writes as fit. */
function trimmed(writes: readonly StaticWrite[]): readonly StaticWrite[] {
  let room = MAX_BEFORE_TOGETHER;
  const kept: StaticWrite[] = [];
  for (const write of writes.slice(-WRITES_KEPT).reverse()) {
    room -= JSON.stringify(write.before).length;
    kept.unshift(room < 0 ? { ...write, before: null } : write);
  }
  return kept;
}

function isSame(left: JsonObject, right: JsonObject, field: string): boolean {
  return stableText(held(left, field)) === stableText(held(right, field));
}

/** An optional value as an array. */
function held(fields: JsonObject, field: string): Json[] {
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return value === undefined ? [] : [value];
}

/** Sets a field to the value in such an array, or removes it. `asList`: sets it to the array itself. */
function put(fields: JsonObject, field: string, value: Json, asList = false): void {
  if (asList) fields[field] = value;
  else if (Array.isArray(value) && value[0] !== undefined) fields[field] = value[0];
  else delete fields[field];
}

function objectIn(owner: JsonObject, name: string): JsonObject {
  const value = Object.hasOwn(owner, name) ? owner[name] : undefined;
  return isJsonObject(value) ? value : {};
}
