import { isObject } from '@weft/service-kit/json';

/** Message of a runner to each of its child processes. */
export type ToChild =
  /** Request `alive` as the response. */
  | { readonly kind: 'ping' }
  /** Check at once whether these are still held. */
  | { readonly kind: 'recheck'; readonly executionIds: readonly string[] };

/** The response to a ping: the thread of the process is not blocked. */
export interface Alive {
  readonly kind: 'alive';
}

/** Parses a message that every child process understands; undefined if it is not one. */
export const readToChild = (value: unknown): ToChild | undefined => {
  if (!isObject(value)) return undefined;
  const { kind, executionIds } = value;
  if (kind === 'ping') return { kind };
  if (kind !== 'recheck' || !Array.isArray(executionIds)) return undefined;
  return { kind, executionIds: executionIds.filter((id) => typeof id === 'string') };
};

/** True for the response to a ping. */
export const isAlive = (value: unknown): value is Alive => isObject(value) && value['kind'] === 'alive';
