import { ServiceError, type ErrorKind } from '@weft/service-kit/errors';

/**
 * Waits for a number of milliseconds, or until one of the signals fires. AbortSignal.any is not used: Node.js 20
 * retains every signal that it made as long as the process's signal lives.
 */
export const elapse = (ms: number, signals: readonly AbortSignal[]): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener('abort', done);
    if (signals.some((signal) => signal.aborted)) done();
  });

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 2_000;

/** Number of failures of an entry by an internal error of the service, after which a witness is asked. */
const MAX_FAILURES = 8;

/** Codes by which the service refuses the call, and would again. Everything else is not a response. */
const IS_ANSWER: Readonly<Record<ErrorKind, boolean>> = {
  invalid: true,
  forbidden: true,
  'not-found': true,
  conflict: true,
  precondition: true,
  'too-large': true,
  unauthenticated: false,
  limited: false,
  unavailable: false,
  timeout: false,
  internal: false,
};

/** Whether the service reports that this entry, rather than the call, failed with an internal error. */
export class EntryFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EntryFailed';
  }
}

/**
 * Whether a call failed permanently: the service refused it. Errors that are not service errors come from this process,
 * and would recur.
 */
export const isRefusal = (error: unknown): boolean => !(error instanceof ServiceError) || IS_ANSWER[error.kind];

/** Whether the claim is lost. A released run holds its claim until the release is reported. */
const isGone = ({ aborted, reason }: AbortSignal): boolean => aborted && (reason === 'lost' || reason === 'cancelled');

/** Jitters a delay to between half and all of it, so that calls that failed together are not repeated together. */
const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

/** Limits of repeating a call, in addition to the claim. */
export interface RetryBounds {
  /** No try begins after this fires. */
  readonly until?: AbortSignal;
  /** Called after every try without a response. */
  readonly onUnanswered?: () => void;
  /**
   * A small write for the same claim. The internal error of an entry is final only if it recurs after this succeeded:
   * otherwise the service may be unwell, which says nothing about the run.
   */
  readonly witness?: () => Promise<unknown>;
}

const succeeds = async (call: () => Promise<unknown>): Promise<boolean> => {
  try {
    await call();
    return true;
  } catch {
    return false;
  }
};

/**
 * Repeats an idempotent call with increasing delays until its service has responded or the claim is lost: only a
 * response says anything about the run.
 * @throws the refusal of the service; the last error once the claim is lost or the limit is reached
 */
export const retryWhileHeld = async <Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
  { until, onUnanswered, witness = () => Promise.resolve() }: RetryBounds = {},
): Promise<Result> => {
  const isOver = (): boolean => isGone(signal) || until?.aborted === true;
  // A run that is already aborted, but still holds its claim, must not skip the delays.
  const signals = [...(signal.aborted ? [] : [signal]), ...(until === undefined ? [] : [until])];
  let failures = 0;
  let isWitnessed = false;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    try {
      return await call();
    } catch (error) {
      const isOfEntry = error instanceof EntryFailed;
      if ((isOfEntry ? isWitnessed : isRefusal(error)) || isOver()) throw error;
      failures = isOfEntry ? failures + 1 : 0;
      isWitnessed = failures > MAX_FAILURES && (await succeeds(witness));
      onUnanswered?.();
      if (isOver()) throw error;
      await elapse(jittered(delayMs), signals);
      if (isOver()) throw error;
    }
  }
};
