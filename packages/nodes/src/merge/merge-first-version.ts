import type { JsonObject } from '@weft/node-catalogue';
import type { Item, NodeContext } from '@weft/engine';
import { choiceParameter, textParameter } from '../shared/read-parameter';
import { getPath } from '../shared/values/json-path';
import { mergeJson } from './clash';
import { combineAll } from './combine-all';
import { binariesOf, pairedInput, pairedWith } from './paired-inputs';

const MODES = [
  'append',
  'keepKeyMatches',
  'mergeByIndex',
  'mergeByKey',
  'multiplex',
  'passThrough',
  'removeKeyMatches',
  'wait',
] as const;
const PLAIN = { addSuffix: false, preferredInput: undefined, deep: false, keepFilled: false };

/** Output of a Merge node of version 1. */
export function mergeFirstVersion(context: NodeContext): Item[] {
  const first = pairedInput(context, 0);
  const second = pairedInput(context, 1);
  switch (choiceParameter(context, 'mode', 0, MODES)) {
    case 'append':
      return [...first, ...second];
    case 'keepKeyMatches':
      return byKey(context, first, second, true);
    case 'removeKeyMatches':
      return byKey(context, first, second, false);
    case 'mergeByIndex':
      return byIndex(context, first, second);
    case 'mergeByKey':
      return mergeByKey(context, first, second);
    case 'multiplex':
      return combineAll(first, second, PLAIN);
    case 'passThrough':
      return choiceParameter(context, 'output', 0, ['input1', 'input2'], 'input1') === 'input1' ? first : second;
    case 'wait':
      return [{ json: {}, pairedItem: pairedWith([...first, ...second]) }];
  }
}

function byIndex(context: NodeContext, first: readonly Item[], second: readonly Item[]): Item[] {
  const join = choiceParameter(context, 'join', 0, ['inner', 'left', 'outer']);
  const count = {
    inner: Math.min(first.length, second.length),
    left: first.length,
    outer: Math.max(first.length, second.length),
  }[join];
  return Array.from({ length: count }, (_, index) =>
    mergeItems([first[index], second[index]].filter((item) => item !== undefined)),
  );
}

function mergeItems(items: readonly Item[]): Item {
  return {
    json: mergeJson(
      items.map((item) => item.json),
      PLAIN,
    ),
    pairedItem: pairedWith(items),
    ...binariesOf(items),
  };
}

function byKey(context: NodeContext, first: readonly Item[], second: readonly Item[], keepMatches: boolean): Item[] {
  const keys = readKeys(context, second);
  if (keys === undefined) return keepMatches ? [] : [...first];
  return first.filter((item) => {
    const key = keys.keyOf1(item);
    // An item without the field cannot match, and is only included if matches are removed.
    return (key !== undefined && keys.partners.has(key)) === keepMatches;
  });
}

function mergeByKey(context: NodeContext, first: readonly Item[], second: readonly Item[]): Item[] {
  const overwrite = choiceParameter(context, 'overwrite', 0, ['always', 'blank', 'undefined']);
  const keys = readKeys(context, second);
  if (keys === undefined) return [...first];
  return first.flatMap((item) => {
    const key = keys.keyOf1(item);
    if (key === undefined) return [];
    const partner = keys.partners.get(key);
    if (partner === undefined) return [item];
    // The compared field of the first input is unchanged.
    const taken = Object.entries(partner.json).filter(
      ([name]) => name !== keys.name2 && mayOverwrite(item.json, name, overwrite),
    );
    return [
      {
        json: { ...item.json, ...Object.fromEntries(taken) },
        pairedItem: pairedWith([item, partner]),
        ...binariesOf([item, partner]),
      },
    ];
  });
}

function mayOverwrite(json: JsonObject, name: string, overwrite: 'always' | 'blank' | 'undefined'): boolean {
  if (overwrite === 'always' || !Object.hasOwn(json, name)) return true;
  return overwrite === 'blank' && (json[name] === null || json[name] === '');
}

/** How items of the two inputs are matched. */
interface Keys {
  readonly name2: string;
  /** The string that an item is matched by; undefined if its value cannot be compared. */
  readonly keyOf1: (item: Item) => string | undefined;
  /** Items of the second input, the last for each key. Values that are empty, zero or false match nothing. */
  readonly partners: ReadonlyMap<string, Item>;
}

/** Undefined if there is nothing to match because a field is not set. */
function readKeys(context: NodeContext, second: readonly Item[]): Keys | undefined {
  const name1 = textParameter(context, 'propertyName1', 0);
  const name2 = textParameter(context, 'propertyName2', 0);
  if (name1 === '' || name2 === '') return undefined;
  const partners = new Map<string, Item>();
  for (const item of second) {
    const key = getPath(item.json, name2);
    if (key) partners.set(String(key), item);
  }
  const keyOf1 = (item: Item): string | undefined => {
    const key = getPath(item.json, name1);
    return typeof key === 'string' || typeof key === 'number' || key === null ? String(key) : undefined;
  };
  return { name2, keyOf1, partners };
}
