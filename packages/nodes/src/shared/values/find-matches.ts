import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Json } from '@weft/node-catalogue';
import { type Item, NodeFailure } from '@weft/engine';
import { getPath } from './json-path';
import { looseBucket, looselyEqual } from './loose-equality';

/** Fields of the two inputs that must be equal. */
export interface FieldPair {
  readonly field1: string;
  readonly field2: string;
}

/** Options for matching items. */
export interface MatchOptions {
  readonly loose: boolean;
  /** In loose mode, null also equals 0. */
  readonly nullIsZero?: boolean;
  readonly dotNotation: boolean;
  /** True: only the first match of an item is used. */
  readonly firstOnly: boolean;
}

/** Matching items of two inputs. */
export interface Matches {
  /** In the order of the first input: every item with its matches. */
  readonly matched: readonly { readonly item: Item; readonly partners: readonly Item[] }[];
  readonly matched2: readonly Item[];
  readonly unmatched1: readonly Item[];
  readonly unmatched2: readonly Item[];
}

/**
 * Matches items by fields. An item that lacks one of the fields matches nothing. The cost is linear in the number of
 * items and matches.
 */
export function findMatches(
  input1: readonly Item[],
  input2: readonly Item[],
  fields: readonly FieldPair[],
  options: MatchOptions,
): Matches {
  const buckets = new Map<string, number[]>();
  const values2 = input2.map((item) => fields.map(({ field2 }) => read(item, field2, options)));
  values2.forEach((values, index) => {
    const key = bucketOf(values, options.loose);
    const bucket = buckets.get(key);
    if (bucket === undefined) buckets.set(key, [index]);
    else bucket.push(index);
  });
  const taken = new Set<number>();
  const matched: { item: Item; partners: Item[] }[] = [];
  const unmatched1: Item[] = [];
  for (const item of input1) {
    const values = fields.map(({ field1 }) => read(item, field1, options));
    const candidates = values.includes(undefined) ? [] : (buckets.get(bucketOf(values, options.loose)) ?? []);
    const found = candidates
      .filter((index) => areEqual(values, values2[index] ?? [], options))
      .slice(0, options.firstOnly ? 1 : undefined);
    for (const index of found) taken.add(index);
    if (found.length === 0) unmatched1.push(item);
    else matched.push({ item, partners: found.flatMap((index) => input2[index] ?? []) });
  }
  return {
    matched,
    unmatched1,
    matched2: input2.filter((_, index) => taken.has(index)),
    unmatched2: input2.filter((_, index) => !taken.has(index)),
  };
}

function read(item: Item, field: string, { dotNotation }: Pick<MatchOptions, 'dotNotation'>): Json | undefined {
  if (dotNotation) return getPath(item.json, field);
  return Object.hasOwn(item.json, field) ? item.json[field] : undefined;
}

/** Equal values share a bucket; values in a bucket need not be equal. */
function bucketOf(values: readonly (Json | undefined)[], loose: boolean): string {
  return JSON.stringify(values.map((value) => shortened(loose ? looseBucket(value) : strictBucket(value))));
}

/** Characters from which a hash takes less time than quoting the text. */
const LONG_TEXT = 256;

function shortened(text: string): string {
  return text.length < LONG_TEXT ? text : hash('sha256', text);
}

function strictBucket(value: Json | undefined): string {
  // The order of an object's fields does not affect its equality, so objects are distinguished by the exact comparison.
  return typeof value === 'object' && value !== null ? 'object' : `${typeof value} ${String(value)}`;
}

function areEqual(
  one: readonly (Json | undefined)[],
  other: readonly (Json | undefined)[],
  { loose, nullIsZero }: MatchOptions,
): boolean {
  return one.every((value, index) =>
    loose ? looselyEqual(value, other[index], nullIsZero) : isDeepStrictEqual(value, other[index]),
  );
}

/** @throws NodeFailure if a field is missing in all items of its input */
export function requireFields(
  items: readonly Item[],
  fields: readonly string[],
  options: MatchOptions,
  label: string,
): void {
  for (const field of fields) {
    if (items.some((item) => read(item, field, options) !== undefined)) continue;
    throw new NodeFailure(`Field '${field}' is not present in any of items in '${label}'`);
  }
}
