import type { ExecutionStart, StartedExecution } from '@weft/proto/executions';
import { currentContext, remainingMs, type RequestContext } from '@weft/service-kit/context';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import { setTimeout } from 'node:timers/promises';

const started = new WeakMap<RequestContext, string>();

/** Records the execution that the current request has started, or may have: later errors name it. */
export const noteStarted = (executionId: string): void => {
  const context = currentContext();
  if (context !== undefined) started.set(context, executionId);
};

/** The start was refused: no execution is named. */
export const noteRefused = (): void => {
  const context = currentContext();
  if (context !== undefined) started.delete(context);
};

/** The execution that the current request has started, or may have; undefined if there is none. */
export const startedByRequest = (): string | undefined => {
  const context = currentContext();
  return context === undefined ? undefined : started.get(context);
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
const isUncertain = (error: unknown): boolean =>
  !(error instanceof ServiceError) ||
  error.kind === 'unavailable' ||
  error.kind === 'timeout' ||
  error.kind === 'internal';

const isRepeatable = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unavailable';

/**
 * Starts an execution under its own id, and retries the start at any replica that answers if the first could not
 * answer: under one id it is one start. A wait for its answer continues at the other replica.
 * @param forMs the time for retries; the request's own time counts as well, whichever is sooner.
 * @throws ServiceError the refusal, or the last failure
 */
export const sendStart = async (start: ExecutionStart, send: SendOnce, forMs: number): Promise<StartedExecution> => {
  const executionId = start.executionId ?? uuidv7();
  noteStarted(executionId);
  const begun = performance.now();
  for (let attempt = 0, delayMs = FIRST_DELAY_MS; ; attempt += 1, delayMs = Math.min(2 * delayMs, MAX_DELAY_MS)) {
    try {
      const waitMs = start.waitMs === 0 ? 0 : Math.max(1, Math.round(start.waitMs - (performance.now() - begun)));
      const started = await send({ ...start, executionId, waitMs, ...(attempt === 0 ? {} : { repeatedStart: true }) });
      noteStarted(started.executionId);
      return started;
    } catch (error) {
      if (attempt === 0 && !isUncertain(error)) noteRefused();
      const leftMs = Math.min(remainingMs(Number.POSITIVE_INFINITY) - MARGIN_MS, forMs - (performance.now() - begun));
      if (!isRepeatable(error) || leftMs < delayMs) throw error;
      await setTimeout(delayMs);
    }
  }
};
