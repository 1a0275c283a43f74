import { AsyncLocalStorage } from 'node:async_hooks';

/** Context of one request within a process. */
export interface RequestContext {
  /** The same on every hop and in every log line. */
  readonly requestId: string;
  /** Unix milliseconds. */
  readonly deadline: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work within a context: its calls inherit request id and deadline. */
export const withContext = <Result>(context: RequestContext, work: () => Result): Result => storage.run(context, work);

/** Runs work outside any context: work for several requests at once must not inherit the deadline of one. */
export const withoutContext = <Result>(work: () => Result): Result => storage.exit(work);

/** The context of the running request; undefined in background work. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/** Milliseconds until the deadline of the running request, from 0 to `limitMs`. */
export const remainingMs = (limitMs: number): number => {
  const context = storage.getStore();
  return context === undefined ? limitMs : Math.max(0, Math.min(limitMs, context.deadline - Date.now()));
};
