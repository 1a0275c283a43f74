import {
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import { randomUUID } from 'node:crypto';
import type { ToolCall } from '../../chat-model';
import { LIMITS } from '../../limits';
import { excerptOf, ModelError } from '../../model-error';
import { JsonRefused, readJson } from '../../wire/read-json';

/** Start of the ids that are made here. Services that send no ids do not get them either. */
const OWN_ID = 'weft_call_';

/** True for an id that the service did not send. */
export const isOwnId = (id: string): boolean => id.startsWith(OWN_ID);

/** A call as the service sent it. */
export interface SentCall {
  readonly id: Json | undefined;
  readonly name: Json | undefined;
  /** An object, or text that should be one. */
  readonly input: Json | undefined;
}

/** The calls of a message in formats that nest name and arguments in a field `function`. */
export const functionCallsIn = (message: JsonObject): SentCall[] =>
  listField(message, 'tool_calls').map((call) => {
    const { name, arguments: input } = objectField(call, 'function') ?? {};
    return { id: textField(call, 'id'), name, input };
  });

/** @throws ModelError for more calls than a response may have */
export const checkCallCount = (calls: number): void => {
  if (calls > LIMITS.toolCalls)
    throw new ModelError('RESPONSE_TOO_LARGE', `The model called more than ${LIMITS.toolCalls} tools at once.`);
};

/**
 * Reads the calls of a response.
 * @throws ModelError for more calls than allowed, and for a call without a usable name
 */
export function readToolCalls(sent: readonly SentCall[]): ToolCall[] {
  checkCallCount(sent.length);
  return sent.map(({ id, name, input }) => {
    if (typeof name !== 'string' || name === '' || name.length > LIMITS.nameCharacters)
      throw new ModelError('MALFORMED_RESPONSE', 'The response of the model has a tool call without a valid name.');
    return { id: typeof id === 'string' && id !== '' ? id : OWN_ID + randomUUID(), name, ...readInput(input) };
  });
}

/** Arguments of a tool call; `input` is empty if there is a `fault`. */
export function readInput(sent: Json | undefined): Pick<ToolCall, 'input' | 'fault'> {
  if (sent === undefined || sent === null || sent === '') return { input: {} };
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const faulty = (message: string): Pick<ToolCall, 'input' | 'fault'> => ({
    input: {},
    fault: { message: `The arguments of the tool call are refused: the text ${message}.`, text: excerptOf(text) },
  });
  if (text.length > LIMITS.argumentCharacters) return faulty(`has more than ${LIMITS.argumentCharacters} characters`);
  try {
    const value = typeof sent === 'string' ? readJson(sent) : sent;
    return isJsonObject(value) ? { input: value } : faulty('is not a JSON object');
  } catch (error) {
    if (error instanceof JsonRefused) return faulty(error.message);
    throw error;
  }
}

/** Arguments as services expect them in a conversation: text that is JSON. */
export const argumentsOf = (call: ToolCall): string => JSON.stringify(call.input);

/** The arguments of a call that arrive in pieces. Bounded by the bytes of the response. */
export interface CallPieces {
  id: string;
  name: string;
  arguments: string;
  /** Additions of the service, such as a signature. */
  extra?: Json;
}

/** Calls that arrive in pieces, by the key of each. */
export class ToolCallPieces<Key> {
  readonly #calls = new Map<Key, CallPieces>();

  /** The call with a key, which is created on first use. @throws ModelError beyond the number of calls */
  at(key: Key): CallPieces {
    const found = this.#calls.get(key);
    if (found !== undefined) return found;
    checkCallCount(this.#calls.size + 1);
    const made: CallPieces = { id: '', name: '', arguments: '' };
    this.#calls.set(key, made);
    return made;
  }

  has(key: Key): boolean {
    return this.#calls.has(key);
  }

  /** All calls, in the order in which they began. */
  all(): CallPieces[] {
    return [...this.#calls.values()];
  }
}
