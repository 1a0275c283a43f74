import { field, isEqualJson, isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import type { Path } from '../json/tree';

/** The three versions of a value; undefined where it is absent. */
export interface ThreeValues {
  readonly base: Json | undefined;
  readonly mine: Json | undefined;
  readonly theirs: Json | undefined;
}

/** Edits of `theirs` that bring in what changed in `mine`, and the overlaps. */
export interface ValueMerge {
  readonly edits: readonly { readonly path: Path; readonly value: Json | undefined }[];
  readonly conflicts: readonly ({ readonly path: Path } & ThreeValues)[];
}

/**
 * Merges by fields of objects and by entries of arrays that have the same length in all versions. Equal changes
 * of both sides are not a conflict.
 */
export function mergeValues(values: ThreeValues, path: Path = []): ValueMerge {
  const { base, mine, theirs } = values;
  if (isEqualJson(mine, base) || isEqualJson(mine, theirs)) return { edits: [], conflicts: [] };
  if (isJsonObject(mine) && isJsonObject(theirs)) {
    const keys = new Set([base, mine, theirs].flatMap((value) => (isJsonObject(value) ? Object.keys(value) : [])));
    const merged = [...keys].map((key) =>
      mergeValues({ base: field(base, key), mine: field(mine, key), theirs: field(theirs, key) }, [...path, key]),
    );
    return { edits: merged.flatMap(({ edits }) => edits), conflicts: merged.flatMap(({ conflicts }) => conflicts) };
  }
  const isAligned =
    Array.isArray(base) &&
    Array.isArray(mine) &&
    Array.isArray(theirs) &&
    base.length === mine.length &&
    base.length === theirs.length;
  if (!isAligned)
    return isEqualJson(theirs, base)
      ? { edits: [{ path, value: mine }], conflicts: [] }
      : { edits: [], conflicts: [{ path, ...values }] };
  const merged = base.map((entry, index) =>
    mergeValues({ base: entry, mine: mine[index], theirs: theirs[index] }, [...path, index]),
  );
  return { edits: merged.flatMap(({ edits }) => edits), conflicts: merged.flatMap(({ conflicts }) => conflicts) };
}
