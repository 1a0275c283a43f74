import type { JsonObject } from '@weft/service-kit/json-values';
import type { ModelFormat } from '../chat-model';

/** A function call of a script. `input` as text is sent as it is, for arguments that are not JSON. */
export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject | string;
}

/** A response that the stand-in gives in the format of the request. */
export interface ScriptedAnswer {
  readonly text?: string;
  /** Thinking, with the signature of formats that have one. */
  readonly thinking?: { readonly text: string; readonly signature: string };
  readonly toolCalls?: readonly ScriptedCall[];
  readonly finish?: 'stop' | 'length' | 'contentFilter';
  /** Words of a model that refuses. */
  readonly refusal?: string;
  /** Tokens; `input` includes `cached`, `output` includes `reasoning`. */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly reasoning?: number;
  };
}

/** An error in the format of the request. */
export interface ScriptedError {
  readonly status: number;
  readonly message: string;
  /** Code or type, in the words of the format's service. */
  readonly code?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How the bytes of a response are sent. */
export interface Delivery {
  /** Bytes of one write; everything at once if absent. */
  readonly chunkBytes?: number;
  /** Milliseconds between two writes. */
  readonly pauseMs?: number;
  /** Closes the connection after this share of the bytes, from 0 to 1. */
  readonly cutAt?: number;
  /** Leaves out the last event of a stream, and ends the response as if it were complete. */
  readonly leavesOutEnd?: boolean;
  /** Answers a request for a stream with a whole response. */
  readonly neverStreams?: boolean;
}

/** Bytes that no service should send: the same in all formats. */
export type HostileBody =
  /** Valid events without end. */
  | 'endless'
  /** One line that never ends. */
  | 'endless-line'
  /** JSON with 100,000 levels. */
  | 'deep'
  | 'not-json'
  /** A redirect to the address of a cloud's metadata. */
  | 'redirect'
  /** More tool calls than any conversation needs. */
  | 'many-calls'
  /** The head of a response and nothing else. */
  | 'silent';

/** A response in no format: what a server sends that is not a model service, or pretends to be one. */
export interface RawResponse {
  /** 200 if absent. */
  readonly status?: number;
  /** `content-type` is `application/json` if absent. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array;
}

/** One step of a script: the response to one request. */
export interface ScriptStep {
  readonly raw?: RawResponse;
  readonly answer?: ScriptedAnswer;
  readonly error?: ScriptedError;
  /** Reports the error within a response of status 200, after the first event of a stream. */
  readonly errorInStream?: ScriptedError;
  readonly hostile?: HostileBody;
  readonly delivery?: Delivery;
}

/** An event of a stream, in the words of a format. */
export interface WrittenEvent {
  readonly event?: string;
  readonly data: JsonObject | '[DONE]';
}

/** A wire format from the side of the service. */
export interface FormatWriter {
  whole(answer: ScriptedAnswer, model: string): JsonObject;
  events(answer: ScriptedAnswer, model: string): readonly WrittenEvent[];
  error(error: ScriptedError): JsonObject;
  /** An error within a stream. */
  errorEvent(error: ScriptedError): WrittenEvent;
}

/** Text in pieces of `size` characters; surrogate pairs stay whole, as services keep them. */
export const piecesOf = (text: string, size: number): string[] => {
  const characters = [...text];
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(''));
  return pieces;
};

/** The arguments of a call as text. */
export const inputText = ({ input }: ScriptedCall): string =>
  typeof input === 'string' ? input : JSON.stringify(input);

/** Content type of a streamed response. */
export const streamType = (format: ModelFormat): string =>
  format === 'ollama' ? 'application/x-ndjson' : 'text/event-stream';

/** Events in the framing of the format. */
export const framed = (format: ModelFormat, events: readonly WrittenEvent[]): string =>
  events
    .map(({ event, data }) => {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      if (format === 'ollama') return `${text}\n`;
      return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
    })
    .join('');
