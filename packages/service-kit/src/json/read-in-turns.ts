import { Unsent } from '../errors';
import { createShares } from '../in-flight';
import { THREAD_TURNS } from '../thread-turns';
import type { Json } from './json';
import { type JsonLimits, parseJson } from './parse-json';
import { parseLongJson, SHORT_BYTES } from './parse-long-json';

/** Whose turns at the thread reading takes. */
export interface TurnsOf {
  readonly ownerId: string;
  /** Empty if it is of no workflow. */
  readonly workflowId: string;
}

/** Bytes of all long texts that wait for turns, and of those of one owner. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_OWN_BYTES = MAX_BYTES / 2;

const waiting = createShares(MAX_BYTES, MAX_OWN_BYTES);

/**
 * Parses JSON that a service was sent, a long one in turns at the thread of its owner.
 * @param use is given the value, that of a long one in a last turn
 * @throws as parseJson; Unsent if too many bytes wait
 */
export const readInTurns = async <Result>(
  bytes: Buffer,
  { ownerId, workflowId }: TurnsOf,
  limits: JsonLimits,
  use: (value: Json) => Result,
): Promise<Result> => {
  const { length } = bytes;
  if (length <= SHORT_BYTES) return use(parseJson(bytes, limits));
  if (!waiting.take(ownerId, length)) throw new Unsent('Too much JSON is waiting to be read. Try again.');
  try {
    const takeTurn = (): Promise<void> => THREAD_TURNS.take(ownerId, workflowId);
    const value = await parseLongJson(bytes, takeTurn, limits);
    await takeTurn();
    return use(value);
  } finally {
    waiting.give(ownerId, length);
  }
};
