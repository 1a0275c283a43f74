import { isObject } from '@weft/service-kit/json';

/** Message of a runner to a process for isolated runs, in addition to those to every child process. */
export interface ToIsolated {
  readonly kind: 'run';
  readonly executionId: string;
}

/** Message of that process to its runner. */
export type FromIsolated =
  /** It accepts another run. */
  | { readonly kind: 'free' }
  /** Number of runs that are executed there now. */
  | { readonly kind: 'running'; readonly count: number }
  /** Whether the service has responded about the run. */
  | { readonly kind: 'taken'; readonly executionId: string; readonly isAnswered: boolean };

/** Parses a message of the runner; undefined if it is not one. */
export const readToIsolated = (value: unknown): ToIsolated | undefined => {
  if (!isObject(value)) return undefined;
  const { kind, executionId } = value;
  return kind === 'run' && typeof executionId === 'string' ? { kind, executionId } : undefined;
};

/** Parses a message of the process; undefined if it is not one. */
export const readFromIsolated = (value: unknown): FromIsolated | undefined => {
  if (!isObject(value)) return undefined;
  if (value['kind'] === 'free') return { kind: 'free' };
  if (value['kind'] === 'running' && typeof value['count'] === 'number')
    return { kind: 'running', count: value['count'] };
  if (value['kind'] !== 'taken' || typeof value['executionId'] !== 'string') return undefined;
  return { kind: 'taken', executionId: value['executionId'], isAnswered: value['isAnswered'] === true };
};
