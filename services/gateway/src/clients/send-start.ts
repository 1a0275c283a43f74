import type { ExecutionStart, StartedExecution } from '@weft/proto/executions';
import { currentContext, remainingMs, type RequestContext } from '@weft/service-kit/context';
import {
  HAS_STARTED,
  NOT_STARTED,
  PERHAPS_STARTED,
  ServiceError,
  type StartOutcome,
  Unsent,
} from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { setTimeout } from 'node:timers/promises';

/** Outcome of the start of a request; it names the execution unless there is none. */
export interface RequestStart extends StartOutcome {
  readonly executionId?: string;
}

const starts = new WeakMap<RequestContext, RequestStart>();

const note = (start: RequestStart): void => {
  const context = currentContext();
  if (context !== undefined) starts.set(context, start);
};

/** Records the execution of the current request, so that later errors name it. */
export const noteStarted = (executionId: string): void => note({ ...HAS_STARTED, executionId });

/** True for failures after which it is unknown whether the call was accepted. */
export const isUncertain = (error: unknown): boolean => {
  if (!(error instanceof ServiceError)) return true;
  if (error instanceof Unsent || error.details['started'] === NOT_STARTED.started) return false;
  return error.kind === 'unavailable' || error.kind === 'timeout' || error.kind === 'internal';
};

/** Records that the execution of the current request may exist, or may come to exist. */
export const notePerhaps = (executionId?: string): void =>
  note({ ...PERHAPS_STARTED, ...(executionId === undefined ? {} : { executionId }) });

/** Records that the current request is to start an execution and has not yet, so that later errors say so. */
export const noteIntent = (): void => note(NOT_STARTED);

/**
 * Makes a call that starts an execution and reports nothing about it if it fails: errors after which it may have
 * succeeded say so.
 * @param executionId if it is known
 */
export const startingBy = async <Result>(call: () => Promise<Result>, executionId?: string): Promise<Result> => {
  notePerhaps(executionId);
  try {
    return await call();
  } catch (error) {
    if (!isUncertain(error)) noteIntent();
    throw error;
  }
};

/** Outcome of the start of the current request; undefined if it starts nothing. */
export const startOfRequest = (): RequestStart | undefined => {
  const context = currentContext();
  return context === undefined ? undefined : starts.get(context);
};

/** A start with the id of its execution. */
export type NamedStart = ExecutionStart & { readonly executionId: string };

/** Sends a start once. */
export type SendOnce = (start: NamedStart) => Promise<StartedExecution>;

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

/** Minimum time left for the request for another attempt, in milliseconds. */
const MARGIN_MS = 500;

const isRepeatable = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unavailable';

/**
 * Starts an execution under a fixed id. If a replica does not respond, the start is retried at any other one: with the
 * same id it is the same start. Waiting for its response continues at the other replica.
 * @param forMs time for retries; the request's remaining time applies as well, whichever is sooner
 * @throws ServiceError the refusal, or the last failure
 */
export const sendStart = async (start: ExecutionStart, send: SendOnce, forMs: number): Promise<StartedExecution> => {
  const executionId = start.executionId ?? uuidv7();
  const begun = performance.now();
  // True if an attempt so far may have been accepted.
  let isOpen = false;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    notePerhaps(executionId);
    try {
      const waitMs = start.waitMs === 0 ? 0 : Math.max(1, Math.round(start.waitMs - (performance.now() - begun)));
      const started = await send({ ...start, executionId, waitMs, ...(isOpen ? { repeatedStart: true } : {}) });
      noteStarted(started.executionId);
      return started;
    } catch (error) {
      isOpen ||= isUncertain(error);
      if (!isOpen) note(NOT_STARTED);
      const leftMs = Math.min(remainingMs(Number.POSITIVE_INFINITY) - MARGIN_MS, forMs - (performance.now() - begun));
      if (!isRepeatable(error) || leftMs < delayMs) throw error;
      await setTimeout(delayMs);
    }
  }
};
