import type { Json, JsonObject } from '@weft/node-catalogue';
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
  const { keyOf1, partners } = index(context, second);
  return first.filter((item) => {
    const key = keyOf1(item);
    // An item without the field cannot match, and is only included if matches are removed.
    return (key !== undefined && partners.has(keyText(key))) === keepMatches;
  });
}

function mergeByKey(context: NodeContext, first: readonly Item[], second: readonly Item[]): Item[] {
  const overwrite = choiceParameter(context, 'overwrite', 0, ['always', 'blank', 'undefined']);
  const { keyOf1, partners } = index(context, second);
  return first.map((item) => {
    const key = keyOf1(item);
    const partner = key === undefined ? undefined : partners.get(keyText(key));
    if (partner === undefined) return item;
    const taken = Object.entries(partner.json).filter(([name]) => mayOverwrite(item.json, name, overwrite));
    return {
      json: { ...item.json, ...Object.fromEntries(taken) },
      pairedItem: pairedWith([item, partner]),
      ...binariesOf([item, partner]),
    };
  });
}

function mayOverwrite(json: JsonObject, name: string, overwrite: 'always' | 'blank' | 'undefined'): boolean {
  if (overwrite === 'always' || !Object.hasOwn(json, name)) return true;
  return overwrite === 'blank' && (json[name] === null || json[name] === '');
}

function index(
  context: NodeContext,
  second: readonly Item[],
): { keyOf1: (item: Item) => Json | undefined; partners: Map<string, Item> } {
  const name1 = textParameter(context, 'propertyName1', 0);
  const name2 = textParameter(context, 'propertyName2', 0);
  const partners = new Map<string, Item>();
  for (const item of second) {
    const key = getPath(item.json, name2);
    if (key !== undefined) partners.set(keyText(key), item);
  }
  return { keyOf1: (item) => getPath(item.json, name1), partners };
}

function keyText(key: Json): string {
  return typeof key === 'object' ? JSON.stringify(key) : String(key);
}
