import { JSON_LIMITS } from '@weft/service-kit/json';
import type { JsonOwner, ReadJson } from '../state/ports';

/**
 * Checks that an input is an array.
 * @throws as ReadJson
 */
export const isList = (input: Buffer, owner: JsonOwner, readJson: ReadJson): Promise<boolean> =>
  readJson(input, owner, JSON_LIMITS, (value) => Array.isArray(value));
