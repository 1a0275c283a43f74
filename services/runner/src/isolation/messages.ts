/** Message of a runner to the process that executes runs alone. */
export type ToIsolated =
  | { readonly kind: 'run'; readonly executionId: string }
  /** Ask at once whether these are still held. */
  | { readonly kind: 'recheck'; readonly executionIds: readonly string[] };

/** Message of that process to its runner. */
export type FromIsolated =
  /** It takes another run. */
  | { readonly kind: 'free' }
  /** The service has answered about the run, or not. */
  | { readonly kind: 'taken'; readonly executionId: string; readonly isAnswered: boolean };

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A message of the runner; undefined if it is not one. */
export const readToIsolated = (value: unknown): ToIsolated | undefined => {
  if (!isObject(value)) return undefined;
  if (value['kind'] === 'run' && typeof value['executionId'] === 'string')
    return { kind: 'run', executionId: value['executionId'] };
  if (value['kind'] !== 'recheck' || !Array.isArray(value['executionIds'])) return undefined;
  return { kind: 'recheck', executionIds: value['executionIds'].filter((id) => typeof id === 'string') };
};

/** A message of the process; undefined if it is not one. */
export const readFromIsolated = (value: unknown): FromIsolated | undefined => {
  if (!isObject(value)) return undefined;
  if (value['kind'] === 'free') return { kind: 'free' };
  if (value['kind'] !== 'taken' || typeof value['executionId'] !== 'string') return undefined;
  return { kind: 'taken', executionId: value['executionId'], isAnswered: value['isAnswered'] === true };
};
