import { isDeepStrictEqual } from 'node:util';
import type { Json, JsonObject } from '@weft/node-catalogue';
import type { Item } from '@weft/engine';
import { pairedWith } from '../merge/paired-inputs';
import type { FieldAccess } from '../set/include-fields';
import type { FieldPair } from '../shared/values/find-matches';
import { looselyEqual } from '../shared/values/loose-equality';

/** Output for two matching items that differ. */
export type Resolution =
  | { readonly kind: 'preferInput1' | 'preferInput2' }
  /** Both values of every field that differs, under these names. */
  | { readonly kind: 'includeBoth'; readonly names: readonly [string, string] }
  /** The item of one input, with some fields of the other. */
  | { readonly kind: 'mix'; readonly preferred: 0 | 1; readonly except: readonly string[] };

/** Settings of a comparison of two items. */
export interface Comparison {
  readonly fields: readonly FieldPair[];
  readonly loose: boolean;
  readonly nullIsZero: boolean;
  /** Fields whose difference is ignored. */
  readonly skipped: readonly string[];
  readonly access: FieldAccess;
  readonly resolution: Resolution;
}

/** True if two items are equal in all fields that count. */
export function areSame(one: Item, other: Item, comparison: Comparison): boolean {
  const [a, b] = [without(one.json, comparison), without(other.json, comparison)];
  if (!comparison.loose) return isDeepStrictEqual(a, b);
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((key) => areEqual(a[key], b[key], comparison));
}

/** The item that reports the difference between two. */
export function difference(one: Item, other: Item, comparison: Comparison): Item {
  const { resolution } = comparison;
  switch (resolution.kind) {
    case 'preferInput1':
      return one;
    case 'preferInput2':
      return other;
    case 'mix':
      return mixed(
        resolution.preferred === 0 ? one : other,
        resolution.preferred === 0 ? other : one,
        resolution.except,
        comparison,
      );
    case 'includeBoth':
      return {
        json: bothSides(one.json, other.json, comparison, resolution.names),
        pairedItem: pairedWith([one, other]),
      };
  }
}

function without(json: JsonObject, { skipped, access }: Comparison): JsonObject {
  if (skipped.length === 0) return json;
  const rest = { ...json };
  for (const name of skipped) access.unset(rest, name);
  return rest;
}

function mixed(preferred: Item, other: Item, except: readonly string[], { access }: Comparison): Item {
  const json = { ...preferred.json };
  for (const name of except) access.set(json, name, access.get(other.json, name) ?? null);
  return { ...preferred, json };
}

function bothSides(
  one: JsonObject,
  other: JsonObject,
  comparison: Comparison,
  [name1, name2]: readonly [string, string],
): JsonObject {
  const { fields, access, skipped } = comparison;
  const isSame = (key: string): boolean =>
    Object.hasOwn(one, key) && Object.hasOwn(other, key) && areEqual(one[key], other[key], comparison);
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const sides = (key: string): [string, Json] => [key, { [name1]: one[key] ?? null, [name2]: other[key] ?? null }];
  const unlike = keys.filter((key) => !isSame(key));
  const passedOver = unlike.filter((key) => skipped.includes(key)).map(sides);
  return {
    keys: Object.fromEntries(fields.map(({ field1 }): [string, Json] => [field1, access.get(one, field1) ?? null])),
    same: Object.fromEntries(keys.filter(isSame).map((key): [string, Json] => [key, one[key] ?? null])),
    different: Object.fromEntries(unlike.filter((key) => !skipped.includes(key)).map(sides)),
    ...(passedOver.length === 0 ? {} : { skipped: Object.fromEntries(passedOver) }),
  };
}

function areEqual(a: Json | undefined, b: Json | undefined, { loose, nullIsZero }: Comparison): boolean {
  return loose ? looselyEqual(a, b, nullIsZero) : isDeepStrictEqual(a, b);
}
