import { isJsonObject, JSON_LIMITS, type Json } from '@weft/service-kit/json';
import type { JsonOwner, ReadJson } from '../state/ports';

/**
 * Checks that an input is an array.
 * @throws as ReadJson
 */
export const isList = (input: Buffer, owner: JsonOwner, readJson: ReadJson): Promise<boolean> =>
  readJson(input, owner, JSON_LIMITS, (value) => Array.isArray(value));

/** True for an array of items: objects, whatever they contain. */
export const isItemList = (value: Json): boolean => Array.isArray(value) && value.every((item) => isJsonObject(item));
