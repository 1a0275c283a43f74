import { AsyncLocalStorage } from 'node:async_hooks';
import type { ActiveSpan } from '../tracing/span';

/** Context of one request within a process, or of work that a request started and that continues after its response. */
export interface RequestContext {
  /** The same in every process and log line. */
  readonly requestId: string;
  /** Monotonic milliseconds of this process. */
  readonly deadline?: number;
  /** Address of the client that sent the request. Absent: unknown. */
  readonly clientAddress?: string;
  /** The current span. Absent: the request is not traced. */
  readonly span?: ActiveSpan;
}

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs work within a context: its calls inherit the request id, deadline and span. */
export const withContext = <Result>(context: RequestContext, work: () => Result): Result => storage.run(context, work);

/** Runs work outside any context: work for several requests must not inherit the deadline of one of them. */
export const withoutContext = <Result>(work: () => Result): Result => storage.exit(work);

/** The context of the current request; undefined in background work. */
export const currentContext = (): RequestContext | undefined => storage.getStore();

/** Whole milliseconds until the deadline of the current request, from 0 to `limitMs`. */
export const remainingMs = (limitMs: number): number => {
  const deadline = storage.getStore()?.deadline;
  return deadline === undefined ? limitMs : Math.max(0, Math.floor(Math.min(limitMs, deadline - performance.now())));
};
