import { isDeepStrictEqual } from 'node:util';
import { type Json, type JsonObject, isJsonObject } from '@weft/node-catalogue';
import { type Item, NodeFailure } from '@weft/engine';
import { pairedWith } from '../merge/paired-inputs';
import type { FieldAccess } from '../set/include-fields';
import type { FieldPair } from '../shared/values/find-matches';
import { getPath, setPath, unsetPath } from '../shared/values/json-path';
import { looselyEqual } from '../shared/values/loose-equality';

/** Output for two matching items that differ. */
export type Resolution =
  | { readonly kind: 'preferInput1' | 'preferInput2' }
  /** Both values of every field that differs, under these names. */
  | { readonly kind: 'includeBoth'; readonly names: readonly [string, string] }
  /** The item of one input with some fields of the other. */
  | { readonly kind: 'mix'; readonly preferred: 0 | 1; readonly except: readonly string[] };

/** Options for comparing two items. */
export interface Comparison {
  readonly fields: readonly FieldPair[];
  readonly loose: boolean;
  readonly nullIsZero: boolean;
  readonly version: number;
  readonly dotNotation: boolean;
  /** Fields whose difference is ignored. */
  readonly skipped: readonly string[];
  readonly access: FieldAccess;
  readonly resolution: Resolution;
}

/** True if all compared fields of two items are equal. */
export function areSame(one: Item, other: Item, comparison: Comparison): boolean {
  const [a, b] = [without(one.json, comparison), without(other.json, comparison)];
  if (!comparison.loose) return isDeepStrictEqual(a, b);
  // In loose mode, extra fields of the second item are ignored.
  return Object.keys(a).every((key) => areEqual(a[key], b[key], comparison));
}

/** The item that reports the differences between two items. */
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
  names: readonly [string, string],
): JsonObject {
  const { fields, skipped, version, loose } = comparison;
  const all = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const mayBeSame = (key: string): boolean =>
    (loose && version >= 2.1) || (Object.hasOwn(one, key) && Object.hasOwn(other, key));
  const same = all.filter((key) => mayBeSame(key) && areEqual(one[key], other[key], comparison));
  const different: JsonObject = {};
  const passedOver: JsonObject = {};
  for (const key of all.filter((name) => !same.includes(name))) {
    const values = [shown(one[key], version), shown(other[key], version)] as const;
    const sides = ([a, b]: readonly [Json, Json]): JsonObject => ({ [names[0]]: a, [names[1]]: b });
    const paths = skipped.filter((path) => path.startsWith(`${key}.`)).map((path) => path.slice(key.length + 1));
    if (skipped.includes(key)) passedOver[key] = sides(values);
    else if (version < 2.1 || !comparison.dotNotation || paths.length === 0) different[key] = sides(values);
    else {
      passedOver[key] = sides([only(values[0], paths, key), only(values[1], paths, key)]);
      different[key] = sides([withoutPaths(values[0], paths), withoutPaths(values[1], paths)]);
    }
  }
  return {
    keys: valuesOf(
      one,
      fields.map(({ field1 }) => field1),
    ),
    same: valuesOf(one, same),
    different,
    ...(Object.keys(passedOver).length === 0 ? {} : { skipped: passedOver }),
  };
}

/** The own fields of an object with these names. */
function valuesOf(json: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(json, name) ? [[name, json[name] ?? null]] : [])));
}

/** A value in a reported difference. In version 1, all empty, zero and false values are null. */
function shown(value: Json | undefined, version: number): Json {
  return (version >= 2 ? value : value || null) ?? null;
}

/** The values at these paths of a value, as an object. @throws NodeFailure if the value has no fields */
function only(value: Json, paths: readonly string[], field: string): JsonObject {
  if (typeof value !== 'object')
    throw new NodeFailure(`The field '${field}' is not an object. It is not possible to use dot notation.`, {
      description: `Skip the whole field '${field}'.`,
    });
  const kept: JsonObject = {};
  for (const path of paths) {
    const found = isJsonObject(value) ? getPath(value, path) : undefined;
    if (found !== undefined) setPath(kept, path, found);
  }
  return kept;
}

function withoutPaths(value: Json, paths: readonly string[]): Json {
  if (!isJsonObject(value)) return value;
  const rest = { ...value };
  for (const path of paths) unsetPath(rest, path);
  return rest;
}

function areEqual(a: Json | undefined, b: Json | undefined, { loose, nullIsZero }: Comparison): boolean {
  return loose ? looselyEqual(a, b, nullIsZero) : isDeepStrictEqual(a, b);
}
