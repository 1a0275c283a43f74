import { isObject } from '@weft/service-kit/json';

/** Message of a runner to each of its child processes. */
export type ToChild =
  /** Request `alive` as the response. */
  | { readonly kind: 'ping' }
  /** Check at once whether these are still held. */
  | { readonly kind: 'recheck'; readonly executionIds: readonly string[] }
  /** These are followed. */
  | { readonly kind: 'follow'; readonly executionIds: readonly string[] };

/** The response to a ping: the thread of the process is not blocked. */
export interface Alive {
  readonly kind: 'alive';
}

/** Message of each child process to its runner, which is connected to NATS: notify the followers of these. */
export interface Progressed {
  readonly kind: 'progressed';
  readonly executionIds: readonly string[];
}

/** Message of each child process to its runner: parts of text that a run writes, as a DeltaBatch. */
export interface Streamed {
  readonly kind: 'streamed';
  readonly executionId: string;
  readonly batch: Uint8Array;
}

const stringsOf = (list: readonly unknown[]): string[] => list.filter((id) => typeof id === 'string');

/** Parses a message that every child process understands; undefined if it is not one. */
export const readToChild = (value: unknown): ToChild | undefined => {
  if (!isObject(value)) return undefined;
  const { kind, executionIds } = value;
  if (kind === 'ping') return { kind };
  if ((kind !== 'recheck' && kind !== 'follow') || !Array.isArray(executionIds)) return undefined;
  return { kind, executionIds: stringsOf(executionIds) };
};

/** Parses a notification of followers; undefined if it is another message. */
export const readProgressed = (value: unknown): Progressed | undefined => {
  if (!isObject(value) || value['kind'] !== 'progressed' || !Array.isArray(value['executionIds'])) return undefined;
  return { kind: 'progressed', executionIds: stringsOf(value['executionIds']) };
};

/** Parses parts of text; undefined if it is another message. */
export const readStreamed = (value: unknown): Streamed | undefined => {
  if (!isObject(value) || value['kind'] !== 'streamed') return undefined;
  const { executionId, batch } = value;
  if (typeof executionId !== 'string' || !(batch instanceof Uint8Array)) return undefined;
  return { kind: 'streamed', executionId, batch };
};

/** True for the response to a ping. */
export const isAlive = (value: unknown): value is Alive => isObject(value) && value['kind'] === 'alive';
