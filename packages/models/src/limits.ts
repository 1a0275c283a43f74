/** Limits on responses of model services, which are untrusted. */
export const LIMITS = {
  /** Bytes of a response, decompressed. */
  responseBytes: 10_000_000,
  /** Bytes of the body of an error. */
  errorBytes: 65_536,
  /** Levels of JSON in a response and in the arguments of a tool. */
  depth: 64,
  toolCalls: 128,
  /** Characters of the arguments of one tool call. */
  argumentCharacters: 262_144,
  /** Characters of a service's text in a message. */
  excerpt: 500,
  /** Characters of a tool's name in a response. */
  nameCharacters: 256,
} as const;

/** Defaults of calls. */
export const DEFAULTS = {
  timeoutMs: 300_000,
  idleTimeoutMs: 60_000,
  maxRetries: 2,
  /** The `anthropic` format requires a limit. */
  anthropicMaxTokens: 4_096,
} as const;

/** The highest `maxRetries`. */
export const MAX_RETRIES = 10;
