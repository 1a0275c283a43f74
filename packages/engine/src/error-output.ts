import type { Json, JsonObject } from '@weft/node-catalogue';
import type { Item, Outputs } from './items';
import { pairingOf } from './items';

/**
 * Moves items that stand for failures to an output of their own behind the ordinary ones. There they carry the fields
 * of the input item they come from, with the error's fields over them.
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

/**
 * True if an item stands for a failure: it is marked as one, or its JSON is an error alone, or an error and a message.
 * Any other JSON with a field `error` is data.
 */
export function isErrorItem(item: Item): boolean {
  if (item.error !== undefined) return true;
  if (!isTruthy(item.json, 'error')) return false;
  const count = Object.keys(item.json).length;
  return count === 1 || (count === 2 && isTruthy(item.json, 'message'));
}

function isTruthy(json: JsonObject, key: string): boolean {
  const value: Json | undefined = Object.hasOwn(json, key) ? json[key] : undefined;
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
}

function withOrigin(item: Item, inputs: readonly (readonly Item[])[]): Item {
  const { error: _mark, ...rest } = item;
  const [pair] = pairingOf(item);
  const origin = pair === undefined ? undefined : inputs[pair.input ?? 0]?.[pair.item];
  return origin === undefined ? rest : { ...rest, json: { ...origin.json, ...item.json } };
}
