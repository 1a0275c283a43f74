import { ServiceError } from '@weft/service-kit/errors';

const FIRST_DELAY_MS = 100;
const MOST_DELAY_MS = 2_000;

const isPassing = (error: unknown): boolean => error instanceof ServiceError && (error.kind === 'unavailable' || error.kind === 'timeout');

/** Waits, or ends early when the signal fires. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', done);
  });

/**
 * Repeats a write that is safe to repeat while the service cannot be reached and the claim is still held.
 * @throws the last error once the claim is gone, any other error at once.
 */
export const retryWhileHeld = async <Result>(write: () => Promise<Result>, signal: AbortSignal): Promise<Result> => {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MOST_DELAY_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!isPassing(error) || signal.aborted) throw error;
      await pause(delayMs, signal);
    }
  }
};
