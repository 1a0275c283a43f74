import type { JsonObject } from './json';

/** Effects of a tool, for clients that ask before some calls. */
export interface ToolHints {
  readonly readOnlyHint: boolean;
  /** It may change or remove what exists. */
  readonly destructiveHint: boolean;
  /** Repeating a call with the same arguments has no further effect. */
  readonly idempotentHint: boolean;
  /** It may reach systems outside this server. */
  readonly openWorldHint: boolean;
}

/** A tool as clients see it. */
export interface Tool {
  /** At most 64 letters, digits, `_` and `-`. */
  readonly name: string;
  readonly title?: string;
  /** For models: what it does, and what to do next. */
  readonly description?: string;
  /** JSON Schema 2020-12 of an object. */
  readonly inputSchema: JsonObject;
  readonly annotations?: ToolHints;
}

export interface ToolPage {
  readonly tools: readonly Tool[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** The outcome of a call, which the model reads. */
export interface ToolResult {
  readonly text: string;
  /** The text says what failed and what to do. */
  readonly isError?: boolean;
}

/** A call in progress. */
export interface CallContext {
  /** Aborted when the client leaves: its result is no longer awaited. */
  readonly signal: AbortSignal;
  /** Reports progress; absent if the client did not ask for it or cannot receive it. */
  readonly progress?: (message: string) => void;
}

/** A server of one request: its tools act for the caller of that request. */
export interface McpHost {
  readonly info: { readonly name: string; readonly title?: string; readonly version: string };
  /** For models: how to use the tools together. */
  readonly instructions?: string;
  /** Called before each request of a batch but the first, which the host has already counted. @throws any error */
  readonly admit: () => Promise<void>;
  /** @throws RpcError for an unknown cursor */
  readonly listTools: (cursor: string | undefined) => Promise<ToolPage>;
  /** @throws RpcError for an unknown tool */
  readonly callTool: (name: string, args: JsonObject, context: CallContext) => Promise<ToolResult>;
  /** The error of a response for anything else that `admit` or a tool has thrown. */
  readonly toError: (thrown: unknown) => { readonly message: string };
}
