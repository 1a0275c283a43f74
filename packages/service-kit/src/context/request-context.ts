import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActiveSpan } from '../tracing/span';

/** Context of one request within a process, or of work that a request has started and that goes on after its answer. */
export interface RequestContext {
  /** The same on every hop and in every log line. */
  readonly requestId: string;
  /** Unix milliseconds. Absent: nobody waits, and each call has a limit of its own. */
  readonly deadline?: number;
  /** Address of the client that the request came from. Absent: unknown. */
  readonly clientAddress?: string;
  /** The span that is under way. Absent: the request is not traced. */
  readonly span?: ActiveSpan;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work within a context: its calls inherit request id, deadline and span. */
export const withContext = <Result>(context: RequestContext, work: () => Result): Result => storage.run(context, work);

/** Runs work outside any context: work for several requests at once must not inherit the deadline of one. */
export const withoutContext = <Result>(work: () => Result): Result => storage.exit(work);

/** The context of the running request; undefined in background work. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/** Milliseconds until the deadline of the running request, from 0 to `limitMs`. */
export const remainingMs = (limitMs: number): number => {
  const deadline = storage.getStore()?.deadline;
  return deadline === undefined ? limitMs : Math.max(0, Math.min(limitMs, deadline - Date.now()));
};
