import { ServiceError, type ErrorKind } from '@weft/service-kit/errors';

/**
 * Waits for so many milliseconds, or until one of the signals fires. AbortSignal.any does not serve here: Node.js 20
 * retains every signal that it made as long as the process's own signal lives.
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

/** Number of times an entry is sent again that, as the service says, fails for an error of the service. */
const MAX_FAILURES = 8;

/** Codes by which the service itself refuses the call: it will do so again. Everything else is not an answer. */
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

/** The service says of this very entry, not of the call, that it cannot be stored for an error of the service. */
export class EntryFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'EntryFailed';
  }
}

/**
 * True if a call failed for good: its service refused it. What is not an error of a service is one of this process,
 * and would come again too.
 */
export const isRefusal = (error: unknown): boolean => !(error instanceof ServiceError) || IS_ANSWER[error.kind];

/** True if the claim is gone. A run that is released holds its claim until the release is reported. */
const isGone = ({ aborted, reason }: AbortSignal): boolean => aborted && (reason === 'lost' || reason === 'cancelled');

/** Half of a delay to all of it: calls that failed together are not repeated together. */
const jittered = (ms: number): number => ms * (0.5 + Math.random() / 2);

/** Bounds of repeating a call, besides the claim. */
export interface RetryBounds {
  /** No try begins after this fires. */
  readonly until?: AbortSignal;
  /** Called after every try that was not answered. */
  readonly onUnanswered?: () => void;
}

/**
 * Repeats a call that is safe to repeat, with growing pauses, until its service has answered it or the claim is gone:
 * nothing but an answer says anything about the run.
 * @throws the refusal of the service; the last error once the claim is gone, or the bound has come
 */
export const retryWhileHeld = async <Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
  { until, onUnanswered }: RetryBounds = {},
): Promise<Result> => {
  const isOver = (): boolean => isGone(signal) || until?.aborted === true;
  // What was aborted already, but still holds its claim, is not to cut the pauses short.
  const signals = [...(signal.aborted ? [] : [signal]), ...(until === undefined ? [] : [until])];
  let failures = 0;
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    try {
      return await call();
    } catch (error) {
      if (error instanceof EntryFailed) failures += 1;
      const isFinal = error instanceof EntryFailed ? failures > MAX_FAILURES : isRefusal(error);
      if (isFinal || isOver()) throw error;
      onUnanswered?.();
      if (isOver()) throw error;
      await elapse(jittered(delayMs), signals);
      if (isOver()) throw error;
    }
  }
};
