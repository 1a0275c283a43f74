import type { ChatSettings } from './chat-model';

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

/** The highest `timeoutMs`: an hour. */
const MAX_TIMEOUT_MS = 3_600_000;

/** Milliseconds for a call with its retries. 0 and less count as not set. */
export const timeoutOf = ({ timeoutMs = 0 }: Pick<ChatSettings, 'timeoutMs'>): number =>
  timeoutMs > 0 ? Math.min(timeoutMs, MAX_TIMEOUT_MS) : DEFAULTS.timeoutMs;
