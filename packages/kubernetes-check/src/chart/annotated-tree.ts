import { isDeepStrictEqual } from 'node:util';
import { at, isList, isMap, listKeyOf, type Json, type JsonMap, type Scalar } from './json';

/** Layers that must be on (true) or off (false). */
export type When = Readonly<Record<string, boolean>>;

/** A part of a manifest with the layers under which it is there. */
export type Tree =
  | { readonly kind: 'scalar'; value: Scalar }
  | { readonly kind: 'map'; readonly entries: Entry[] }
  | { readonly kind: 'list'; readonly items: Item[] };

/** An entry of a map. A key may occur several times, if no two of them can be there together. */
export interface Entry {
  readonly key: string;
  when: When;
  readonly node: Tree;
}

/** An item of a list. */
export interface Item {
  when: When;
  readonly node: Tree;
}

/** The tree of a value that is always there. */
export const treeOf = (value: Json): Tree => {
  if (isList(value)) return { kind: 'list', items: value.map((item) => ({ when: {}, node: treeOf(item) })) };
  if (!isMap(value)) return { kind: 'scalar', value };
  const entries = Object.entries(value).map(([key, inner]) => ({ key, when: {}, node: treeOf(inner) }));
  return { kind: 'map', entries };
};

type Layers = ReadonlySet<string>;

/** True if something is there under some layers. */
export const isThere = (when: When, layers: Layers): boolean =>
  Object.entries(when).every(([layer, isOn]) => layers.has(layer) === isOn);

/** The value that a tree has under some layers. */
export const valueUnder = (tree: Tree, layers: Layers): Json => {
  if (tree.kind === 'scalar') return tree.value;
  if (tree.kind === 'list')
    return tree.items.filter(({ when }) => isThere(when, layers)).map(({ node }) => valueUnder(node, layers));
  const there = tree.entries.filter(({ when }) => isThere(when, layers));
  return Object.fromEntries(there.map(({ key, node }) => [key, valueUnder(node, layers)]));
};

const isSameKind = (tree: Tree, value: Json): boolean =>
  tree.kind === 'map' ? isMap(value) : tree.kind === 'list' ? isList(value) : !isMap(value) && !isList(value);

/** A layer that is added, and the layers below it. */
export interface Addition {
  readonly layer: string;
  readonly below: Layers;
}

const addToMap = (entries: Entry[], value: JsonMap, addition: Addition): void => {
  const { layer, below } = addition;
  const seen = new Set<string>();
  for (const entry of entries.filter(({ when }) => isThere(when, below))) {
    const wanted = value[entry.key];
    if (wanted !== undefined && isDeepStrictEqual(valueUnder(entry.node, below), wanted)) seen.add(entry.key);
    else if (wanted !== undefined && entry.node.kind !== 'scalar' && isSameKind(entry.node, wanted)) {
      addLayer(entry.node, wanted, addition);
      seen.add(entry.key);
    } else entry.when = { ...entry.when, [layer]: false };
  }
  for (const [key, inner] of Object.entries(value)) {
    if (seen.has(key)) continue;
    const before = entries.findLastIndex((entry) => entry.key === key);
    const entry = { key, when: { [layer]: true }, node: treeOf(inner) };
    entries.splice(before < 0 ? entries.length : before, 0, entry);
  }
};

/** Items with a key keep their places: their order means nothing to Kubernetes. */
const addToKeyedList = (items: Item[], wanted: readonly Json[], key: string, addition: Addition): void => {
  const { layer, below } = addition;
  const isOf = (item: Item, id: Json | undefined): boolean =>
    isThere(item.when, below) && isDeepStrictEqual(at(valueUnder(item.node, below), key), id);
  const there = items.filter(({ when }) => isThere(when, below));
  for (const item of there) {
    const id = at(valueUnder(item.node, below), key);
    const value = wanted.find((one) => isDeepStrictEqual(at(one, key), id));
    if (value === undefined) item.when = { ...item.when, [layer]: false };
    else addLayer(item.node, value, addition);
  }
  for (const value of wanted.filter((one) => !there.some((item) => isOf(item, at(one, key)))))
    items.push({ when: { [layer]: true }, node: treeOf(value) });
};

/** Without a key, what is between the common beginning and the common end is exchanged. */
const addToList = (items: Item[], wanted: readonly Json[], { layer, below }: Addition): void => {
  const there = items.filter(({ when }) => isThere(when, below));
  const isEqual = (item: Item | undefined, value: Json | undefined): boolean =>
    item !== undefined && value !== undefined && isDeepStrictEqual(valueUnder(item.node, below), value);
  let begin = 0;
  while (isEqual(there[begin], wanted[begin])) begin += 1;
  let end = 0;
  while (
    end < Math.min(there.length, wanted.length) - begin &&
    isEqual(there[there.length - 1 - end], wanted[wanted.length - 1 - end])
  )
    end += 1;
  for (const item of there.slice(begin, there.length - end)) item.when = { ...item.when, [layer]: false };
  const last = there[there.length - end];
  const place = last === undefined ? items.length : items.indexOf(last);
  const added = wanted.slice(begin, wanted.length - end);
  items.splice(place, 0, ...added.map((value) => ({ when: { [layer]: true }, node: treeOf(value) })));
};

/**
 * Changes a tree so that it has the given value with the layer on top of those below, and keeps its value without it.
 * @throws Error if the value is of another kind: the parent exchanges such values
 */
export const addLayer = (tree: Tree, value: Json, addition: Addition): void => {
  if (isDeepStrictEqual(valueUnder(tree, addition.below), value)) return;
  if (tree.kind === 'map' && isMap(value)) return addToMap(tree.entries, value, addition);
  if (tree.kind !== 'list' || !isList(value)) throw new Error(`A layer cannot change ${tree.kind} here.`);
  const key = listKeyOf([...value]);
  const keyBelow = listKeyOf(
    tree.items.filter(({ when }) => isThere(when, addition.below)).map(({ node }) => valueUnder(node, addition.below)),
  );
  if (key !== undefined && key === keyBelow) addToKeyedList(tree.items, value, key, addition);
  else addToList(tree.items, value, addition);
};
