import type { Json, JsonObject } from '@weft/node-catalogue';
import type { Item, Outputs } from '../items/items';
import { itemLinksOf } from '../items/items';

/**
 * Moves error items to a separate output after the ordinary ones. There each has the fields of the input item it comes
 * from, overridden by the fields of the error.
 */
export function splitErrors(outputs: Outputs, ordinaryOutputs: number, inputs: readonly (readonly Item[])[]): Item[][] {
  const errors: Item[] = [];
  const ordinary = Array.from({ length: ordinaryOutputs }, (_, index) =>
    (outputs[index] ?? []).filter((item) => {
      if (!isErrorItem(item)) return true;
      errors.push(withOrigin(item, inputs));
      return false;
    }),
  );
  return [...ordinary, errors];
}

/** Fields that the JSON of an item may have and still stand for nothing but a failure. */
const ERROR_FIELDS = ['error', 'message', 'details'];

/**
 * True if an item stands for a failure: it is marked as one, or its JSON is an error, with a message and details at
 * most. Any other JSON with a field `error` is data.
 */
export function isErrorItem(item: Item): boolean {
  if (item.error !== undefined) return true;
  return isTruthy(item.json, 'error') && Object.keys(item.json).every((name) => ERROR_FIELDS.includes(name));
}

function isTruthy(json: JsonObject, key: string): boolean {
  const value: Json | undefined = Object.hasOwn(json, key) ? json[key] : undefined;
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
}

/** Items that are marked as failures say so in their JSON, and nothing else. */
export function withErrorJson(outputs: Outputs): Outputs {
  if (outputs.every((items) => items.every((item) => item.error === undefined))) return outputs;
  return outputs.map((items) =>
    items.map((item) => (item.error === undefined ? item : { ...item, json: { error: item.error.message } })),
  );
}

function withOrigin(item: Item, inputs: readonly (readonly Item[])[]): Item {
  const { error: mark, ...rest } = item;
  if (mark !== undefined) return { ...rest, json: { error: mark.message } };
  const [pair] = itemLinksOf(item);
  const origin = pair === undefined ? undefined : inputs[pair.input ?? 0]?.[pair.item];
  return origin === undefined ? rest : { ...rest, json: { ...origin.json, ...item.json } };
}
