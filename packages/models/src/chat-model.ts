import type { Json, JsonObject } from '@weft/service-kit/json-values';

/** Wire formats of model services. */
export type ModelFormat = 'openai-chat' | 'openai-responses' | 'gemini' | 'anthropic' | 'ollama';

/** A part of a user's message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  /** `data` in base64. */
  | { readonly type: 'file'; readonly mimeType: string; readonly data: string; readonly name?: string }
  /** A file that the service fetches. */
  | { readonly type: 'fileUrl'; readonly mimeType: string; readonly url: string }
  /** A file that is stored at the service. With `forCode`, only code that the service runs reads it. */
  | { readonly type: 'fileId'; readonly mimeType: string; readonly id: string; readonly forCode?: boolean };

/**
 * Content of a response in its wire format, with signatures of thinking and other parts that only the service
 * understands. A later call in the same format sends it back unchanged; other formats ignore it.
 */
export interface NativeContent {
  readonly format: ModelFormat;
  readonly content: Json;
}

/** A function call that the model made. */
export interface ToolCall {
  /** From the service, or made here where the service sends none. */
  readonly id: string;
  readonly name: string;
  /** Empty if there is a `fault`. Not checked against the schema of the tool. */
  readonly input: JsonObject;
  /** Present if the arguments are not a JSON object, or too large or too deep; to be reported to the model. */
  readonly fault?: ToolCallFault;
}

/** Why the arguments of a call cannot be used. */
export interface ToolCallFault {
  /** A sentence that the model can act on. */
  readonly message: string;
  /** The first 500 characters of the arguments. */
  readonly text: string;
}

export interface SystemMessage {
  readonly role: 'system';
  readonly content: string;
}

export interface UserMessage {
  readonly role: 'user';
  readonly content: string | readonly ContentPart[];
}

export interface AssistantMessage {
  readonly role: 'assistant';
  /** Empty if the model only called tools. */
  readonly content: string;
  /** Readable thinking, where the service shows it. */
  readonly thinking?: string;
  readonly toolCalls?: readonly ToolCall[];
  readonly native?: NativeContent;
}

/** Result of one tool call. It follows the assistant message with the call. */
export interface ToolMessage {
  readonly role: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: string;
  readonly isError?: boolean;
}

/** A message of a conversation; plain JSON, so conversations can be stored. */
export type ChatMessage = SystemMessage | UserMessage | AssistantMessage | ToolMessage;

/** A function that the model may call. */
export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of an object. */
  readonly parameters: JsonObject;
}

/** The form of the answer: the text of the message is then JSON. */
export interface AnswerSchema {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  /** JSON Schema. */
  readonly schema: JsonObject;
  /** Asks the service to enforce the schema, where it can; false if absent. */
  readonly strict?: boolean;
}

/** Options of a call. A format leaves out those that it does not have. */
export interface ChatSettings {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly topK?: number | undefined;
  /** Maximum tokens of the response. */
  readonly maxTokens?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly frequencyPenalty?: number | undefined;
  readonly presencePenalty?: number | undefined;
  readonly seed?: number | undefined;
  readonly toolChoice?: 'auto' | 'none' | 'required' | { readonly name: string } | undefined;
  readonly parallelToolCalls?: boolean | undefined;
  /** Any JSON as the answer, without a schema. */
  readonly json?: boolean | undefined;
  /** Word of the service, for example `low`, `medium` or `high`. */
  readonly reasoningEffort?: string | undefined;
  /** Tokens that the model may spend on thinking (`anthropic`, `gemini`). 0 turns thinking off. */
  readonly thinkingTokens?: number | undefined;
  /** Marks system message and tools for the cache of the service (`anthropic`). True with tools if absent. */
  readonly cachesPrompt?: boolean | undefined;
  /** Milliseconds for the call with its retries, at most an hour; 300,000 if absent or 0. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds between two parts of a streamed response; 60,000 if absent. */
  readonly idleTimeoutMs?: number | undefined;
  /** Retries after 429, 5xx and failed connections, before the first byte of a response; 2 if absent, at most 10. */
  readonly maxRetries?: number | undefined;
  /** Where the service takes one: a second call with the same key is not charged. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Further fields of the request body in the wire format. Objects are merged by one level and lists are joined; other
   * fields here win.
   */
  readonly body?: JsonObject | undefined;
}

/** A part of a response, as it arrives. */
export type ChatDelta =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'toolCall'; readonly name: string };

export interface ChatCall {
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly ToolDefinition[];
  readonly schema?: AnswerSchema;
  readonly settings?: ChatSettings;
  readonly signal?: AbortSignal;
  /**
   * Makes the call a streamed one. Nothing more is read from the service until a returned promise resolves; its
   * rejection ends the call.
   */
  readonly onDelta?: (delta: ChatDelta) => void | Promise<void>;
}

/** Tokens as the service counted them. */
export interface TokenUsage {
  /** Including those read from or written to a cache. */
  readonly inputTokens: number;
  /** Including thinking. */
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly cachedInputTokens?: number;
  readonly reasoningTokens?: number;
}

/**
 * Why the response ended: complete; `maxTokens` or the context window is used up; tools are called; the service removed
 * the rest; a reason that only `raw` has.
 */
export type FinishReason = 'stop' | 'length' | 'toolCalls' | 'contentFilter' | 'other';

export interface ChatResult {
  /** To be appended to the conversation. */
  readonly message: AssistantMessage;
  /** Those of `message`. */
  readonly toolCalls: readonly ToolCall[];
  /** Undefined if the service reports no usage. */
  readonly usage: TokenUsage | undefined;
  readonly finish: FinishReason;
  /** Body of the response in the wire format. A streamed response is put together to the same form. */
  readonly raw: JsonObject;
}

/** A language model of a service. */
export interface ChatModel {
  /**
   * Calls the model once.
   * @throws ModelError if the service refuses or its response cannot be used; OutboundError if it cannot be reached
   */
  call(call: ChatCall): Promise<ChatResult>;
}
