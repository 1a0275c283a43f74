import { JSON_LIMITS, readInTurns, type TurnsOf } from '@weft/service-kit/json';

/**
 * Checks that an input is a list.
 * @throws as readInTurns
 */
export const isList = (input: Buffer, owner: TurnsOf): Promise<boolean> =>
  readInTurns(input, owner, JSON_LIMITS, (value) => Array.isArray(value));
