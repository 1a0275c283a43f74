import { Unsent } from '@weft/service-kit/errors';
import { createShares } from '@weft/service-kit/in-flight';
import { type Json, JSON_LIMITS, type JsonLimits, parseJson, parseLongJson, SHORT_BYTES } from '@weft/service-kit/json';
import { THREAD_TURNS } from '@weft/service-kit/thread-turns';

/** Whose turns at the thread an input takes. */
export interface InputOwner {
  readonly ownerId: string;
  readonly workflowId: string;
}

/** Bytes of all long inputs that wait for turns, and of those of one owner. */
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_OWN_BYTES = MAX_BYTES / 2;

const waiting = createShares(MAX_BYTES, MAX_OWN_BYTES);

/**
 * Parses an input, a long one in turns at the thread of its owner.
 * @param use is given the value in a last turn
 * @throws as parseJson; Unsent if too many bytes wait
 */
export const readInput = async <Result>(
  input: Buffer,
  { ownerId, workflowId }: InputOwner,
  limits: JsonLimits,
  use: (value: Json) => Result,
): Promise<Result> => {
  const { length } = input;
  if (length <= SHORT_BYTES) return use(parseJson(input, limits));
  if (!waiting.take(ownerId, length)) throw new Unsent('Too many large inputs are waiting. Try again.');
  try {
    const takeTurn = (): Promise<void> => THREAD_TURNS.take(ownerId, workflowId);
    const value = await parseLongJson(input, takeTurn, limits);
    await takeTurn();
    return use(value);
  } finally {
    waiting.give(ownerId, length);
  }
};

/**
 * Checks that an input is a list, as `readInput` does.
 * @throws as readInput
 */
export const isList = (input: Buffer, owner: InputOwner): Promise<boolean> =>
  readInput(input, owner, JSON_LIMITS, (value) => Array.isArray(value));
