import type { JsonObject } from '@weft/service-kit/json-values';
import type { ChatCall, ChatDelta, ChatResult, ModelFormat } from '../chat-model';
import type { ModelEndpoint } from '../client/model-endpoint';

/** Part of a request that depends on the format. */
export interface WireRequest {
  /** Appended to the base URL; begins with a slash and may have a query. */
  readonly path: string;
  /** Headers besides the key and the content type. */
  readonly headers?: readonly (readonly [string, string])[];
  readonly body: JsonObject;
}

/** Assembles the events of a streamed response into the body of a response that is not streamed. */
export interface Assembly {
  /**
   * Takes one event.
   * @returns the parts of the response that it brings
   * @throws ModelError for an event that reports an error
   */
  push(event: JsonObject): readonly ChatDelta[];
  /** The body. Undefined if the events so far are not a complete response. */
  body(): JsonObject | undefined;
}

/** One wire format: requests and responses, without I/O. */
export interface Codec {
  readonly format: ModelFormat;
  /** Framing of streamed responses: server-sent events, or one JSON value a line. */
  readonly framing: 'sse' | 'ndjson';
  /** @throws ModelError UNSUPPORTED for content that the format does not have */
  build(call: ChatCall, endpoint: ModelEndpoint): WireRequest;
  /** @throws ModelError for a response without an answer */
  parse(body: JsonObject, endpoint: ModelEndpoint): ChatResult;
  assemble(): Assembly;
}
