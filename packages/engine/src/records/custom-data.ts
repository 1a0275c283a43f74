import type { JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { LIMITS } from '@weft/service-kit/limits';
import { NodeFailure } from '../node/node-failure';

/** Limits: pairs of one execution, and characters of a name and of a value. */
export const CUSTOM_DATA = {
  pairs: LIMITS.customDataPairs.max,
  keyLength: LIMITS.customDataKey.max,
  valueLength: LIMITS.customDataValue.max,
} as const;

const NAME = /^[A-Za-z0-9_]+$/;

/**
 * Pairs that a run has stored for people to find its execution by, within the bounds; undefined if it has stored none.
 */
export const customDataOf = (runMemory: JsonObject | undefined): Readonly<Record<string, string>> | undefined => {
  const kept = runMemory?.['customData'];
  if (!isJsonObject(kept)) return undefined;
  const pairs = Object.entries(kept).slice(0, CUSTOM_DATA.pairs);
  return Object.fromEntries(
    pairs.map(([key, value]) => [key.slice(0, CUSTOM_DATA.keyLength), String(value).slice(0, CUSTOM_DATA.valueLength)]),
  );
};

/**
 * Stores a pair for the execution. Values that are too long are cut; new names beyond the limit are ignored.
 * @throws NodeFailure for a name with other characters than letters, digits and the low line
 */
export const putCustomData = (runMemory: JsonObject, key: string, value: string): void => {
  if (!NAME.test(key))
    throw new NodeFailure(`Custom data key can only contain characters "A-Za-z0-9_" (key "${key.slice(0, 100)}")`);
  const kept = customDataOf(runMemory) ?? {};
  const name = key.slice(0, CUSTOM_DATA.keyLength);
  if (!Object.hasOwn(kept, name) && Object.keys(kept).length >= CUSTOM_DATA.pairs) return;
  runMemory['customData'] = { ...kept, [name]: value.slice(0, CUSTOM_DATA.valueLength) };
};
