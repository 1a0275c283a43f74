import { isObject } from '@weft/service-kit/json';

/** Message of a runner to each of its child processes. */
export type ToChild =
  /** Answer with `alive`. */
  | { readonly kind: 'ping' }
  /** Ask at once whether these are still held. */
  | { readonly kind: 'recheck'; readonly executionIds: readonly string[] };

/** The answer to a ping: the thread of the process is free. */
export interface Alive {
  readonly kind: 'alive';
}

/** A message that every child process understands; undefined if it is not one. */
export const readToChild = (value: unknown): ToChild | undefined => {
  if (!isObject(value)) return undefined;
  const { kind, executionIds } = value;
  if (kind === 'ping') return { kind };
  if (kind !== 'recheck' || !Array.isArray(executionIds)) return undefined;
  return { kind, executionIds: executionIds.filter((id) => typeof id === 'string') };
};

/** True for the answer to a ping. */
export const isAlive = (value: unknown): value is Alive => isObject(value) && value['kind'] === 'alive';
