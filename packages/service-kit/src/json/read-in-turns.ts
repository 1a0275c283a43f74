import { Unsent } from '../errors';
import { createShares } from '../in-flight';
import { THREAD_TURNS } from '../thread-turns';
import type { Json } from './json';
import { type JsonLimits, parseJson } from './parse-json';
import { parseLongJson, SHORT_BYTES, type TakeTurn } from './parse-long-json';

/** Owner and workflow whose share of the thread the parsing uses. */
export interface TurnsOf {
  readonly ownerId: string;
  /** Empty if there is no workflow. */
  readonly workflowId: string;
}

/** An owner's share of this process's thread, for parsing long JSON. */
export const turnsOf =
  ({ ownerId, workflowId }: TurnsOf): TakeTurn =>
  () =>
    THREAD_TURNS.take(ownerId, workflowId);

/** Maximum bytes of all long strings that wait, and of those of one owner. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_OWN_BYTES = MAX_BYTES / 2;

const waiting = createShares(MAX_BYTES, MAX_OWN_BYTES);

/**
 * Parses the JSON of a request, yielding to other owners if it is long.
 * @param use receives the value, for a long text in a last slice
 * @throws as parseJson; Unsent if too many bytes wait
 */
export const readInTurns = async <Result>(
  bytes: Buffer,
  owner: TurnsOf,
  limits: JsonLimits,
  use: (value: Json) => Result,
): Promise<Result> => {
  const { ownerId } = owner;
  const { length } = bytes;
  if (length <= SHORT_BYTES) return use(parseJson(bytes, limits));
  if (!waiting.take(ownerId, length)) throw new Unsent('Too much JSON is waiting to be read. Try again.');
  try {
    const takeTurn = turnsOf(owner);
    const value = await parseLongJson(bytes, takeTurn, limits);
    await takeTurn();
    return use(value);
  } finally {
    waiting.give(ownerId, length);
  }
};
