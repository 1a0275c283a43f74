import type { ModelFormat } from '@weft/models';
import type { RawResponse, ScriptedAnswer, ScriptStep } from '@weft/models/testing';
import type { NodeFile } from '../workflows';

/** Addresses and secrets of one scenario. */
export interface Place {
  /** Key of the model's credential. */
  readonly key: string;
  /** The model service, without a slash at the end. */
  readonly self: string;
  /** A host that is neither the model service nor that of the tool. */
  readonly elsewhere: string;
}

/** A hostile model service or tool, and the permitted end of the run that uses it. */
export interface HostileScenario {
  readonly what: string;
  /** `openai-chat` if absent. */
  readonly format?: ModelFormat;
  /** Responses to the calls of the model, in their order; the last one is repeated. */
  readonly steps: (place: Place) => readonly ScriptStep[];
  /** Response of the tool `Lookup`; JSON if absent. */
  readonly toolReply?: (place: Place) => RawResponse;
  /** Options of the model node. */
  readonly options?: (place: Place) => Readonly<Record<string, unknown>>;
  /** The node that uses the model; an agent with tools if absent. */
  readonly root?: NodeFile;
  /** JSON Schema of a structured output parser; no parser if absent. */
  readonly schema?: object;
  readonly ends: 'success' | 'error';
  /** Text in the data of the run. */
  readonly shows?: RegExp;
}

/** The answer that ends a conversation. */
export const DONE: ScriptStep = { answer: { text: 'It is done.', usage: { input: 5, output: 5 } } };

export const say = (text: string): ScriptStep => ({ answer: { text, usage: { input: 5, output: 5 } } });

/** A call of the tool `Lookup`, whose only argument is the text `q`. */
export const lookup = (q: string, id = 'call_1'): ScriptedAnswer => ({
  toolCalls: [{ id, name: 'Lookup', input: { q } }],
});

/** A call with arguments that are sent as they are. */
export const callWith = (input: string, name = 'Lookup'): ScriptStep => ({
  answer: { toolCalls: [{ id: 'call_1', name, input }] },
});

/** A response of the chat completions API with a message as it is given. */
export const completion = (message: object, more: object = {}): ScriptStep => ({
  raw: { body: JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }], ...more }) },
});
