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

/** What became of the start of a request; the execution is named unless there is none. */
export interface RequestStart extends StartOutcome {
  readonly executionId?: string;
}

const starts = new WeakMap<RequestContext, RequestStart>();

const note = (start: RequestStart): void => {
  const context = currentContext();
  if (context !== undefined) starts.set(context, start);
};

/** Records the execution that the current request has to do with: later errors name it. */
export const noteStarted = (executionId: string): void => note({ ...HAS_STARTED, executionId });

/** What became of the start of the current request; undefined if it starts nothing. */
export const startOfRequest = (): RequestStart | undefined => {
  const context = currentContext();
  return context === undefined ? undefined : starts.get(context);
};

/** A start with the id that its execution will have. */
export type NamedStart = ExecutionStart & { readonly executionId: string };

/** Sends a start once. */
export type SendOnce = (start: NamedStart) => Promise<StartedExecution>;

const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 1_000;

/** Time left for the request below which no further attempt is made. */
const MARGIN_MS = 500;

/** Failures after which it is unknown whether the start was accepted. */
const isUncertain = (error: unknown): boolean => {
  if (!(error instanceof ServiceError)) return true;
  if (error instanceof Unsent || error.details['started'] === NOT_STARTED.started) return false;
  return error.kind === 'unavailable' || error.kind === 'timeout' || error.kind === 'internal';
};

const isRepeatable = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unavailable';

/**
 * Starts an execution under its own id, and retries the start at any replica that answers if the first could not
 * answer: under one id it is one start. A wait for its answer continues at the other replica.
 * @param forMs the time for retries; the request's own time counts as well, whichever is sooner.
 * @throws ServiceError the refusal, or the last failure
 */
export const sendStart = async (start: ExecutionStart, send: SendOnce, forMs: number): Promise<StartedExecution> => {
  const executionId = start.executionId ?? uuidv7();
  const begun = performance.now();
  // Whether an attempt so far may have been accepted.
  let isOpen = false;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    note({ ...PERHAPS_STARTED, executionId });
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
