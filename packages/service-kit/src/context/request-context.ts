import { AsyncLocalStorage } from 'node:async_hooks';

/** What belongs to one request on its whole way through a process. */
export interface RequestContext {
  /** The same on every hop; in every log line. */
  readonly requestId: string;
  /** When the time for the request is over, in milliseconds of Date.now(). */
  readonly deadline: number;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work inside a context: calls made in it inherit request id and deadline. */
export const withContext = <Result>(context: RequestContext, work: () => Result): Result => storage.run(context, work);

/**
 * Runs work outside every context: for what is done for several requests at once, so that none of their deadlines
 * binds it.
 */
export const withoutContext = <Result>(work: () => Result): Result => storage.exit(work);

/** The context of the running request; undefined in background work. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/** Milliseconds that are left for the running request, at most `limitMs`; never negative. */
export const remainingMs = (limitMs: number): number => {
  const context = storage.getStore();
  return context === undefined ? limitMs : Math.max(0, Math.min(limitMs, context.deadline - Date.now()));
};
