import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { Item, NodeContext } from '@weft/engine';
import { isObject } from '@weft/service-kit/json';

/** Resolution of fields that several items have. */
export interface ClashHandling {
  /** Includes all of them, with `_1`, `_2` … appended to the names. */
  readonly addSuffix: boolean;
  /** Index of the input whose value wins, from 0. Undefined: the default of the mode. */
  readonly preferredInput: number | undefined;
  /** True: nested objects are merged instead of replaced. */
  readonly deep: boolean;
  /** True: an empty value does not replace another. */
  readonly keepFilled: boolean;
}

/** Reads the option `clashHandling` of a Merge node. */
export function readClashHandling(context: Pick<NodeContext, 'parameter' | 'defaultOf'>): ClashHandling {
  const given = context.parameter('options.clashHandling.values', 0);
  const values = isObject(given) ? given : {};
  const preferred = /^preferInput(\d+)$/.exec(String(values['resolveClash'] ?? ''))?.[1];
  return {
    addSuffix: values['resolveClash'] === 'addSuffix',
    preferredInput: preferred === undefined ? undefined : Number(preferred) - 1,
    deep: values['mergeMode'] !== 'shallowMerge',
    keepFilled: values['overrideEmpty'] === true,
  };
}

/** A copy of the item with `_1`, `_2` … appended to every name. */
export function withSuffix(item: Item, input: number): Item {
  return {
    ...item,
    json: Object.fromEntries(Object.entries(item.json).map(([key, value]) => [`${key}_${input + 1}`, value])),
  };
}

/** Merges several objects into one; later ones win. */
export function mergeJson(parts: readonly JsonObject[], clash: Pick<ClashHandling, 'deep' | 'keepFilled'>): JsonObject {
  const merged: JsonObject = {};
  for (const part of parts) {
    for (const [key, value] of Object.entries(part)) {
      if (key === '__proto__') continue;
      merged[key] = Object.hasOwn(merged, key) ? mergeValue(merged[key], value, clash) : value;
    }
  }
  return merged;
}

function mergeValue(old: Json | undefined, value: Json, clash: Pick<ClashHandling, 'deep' | 'keepFilled'>): Json {
  if (clash.keepFilled && (value === null || value === '') && old !== undefined) return old;
  if (!clash.deep) return value;
  if (isJsonObject(old) && isJsonObject(value)) return mergeJson([old, value], clash);
  if (Array.isArray(old) && Array.isArray(value)) {
    const longer = old.length > value.length ? old.slice(value.length) : [];
    return [
      ...value.map((entry, index) => (index < old.length ? mergeValue(old[index], entry, clash) : entry)),
      ...longer,
    ];
  }
  return value;
}
