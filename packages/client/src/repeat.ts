import { unanswered, type WeftError } from './weft-error.js';

/** Pause before a retry if the server sets none. */
export const PAUSE_MS = 500;
const MAX_PAUSE_MS = 60_000;

/** Waits. @throws WeftError if the signal fires */
export const pause = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(unanswered(signal?.reason));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

/** True if a request that is safe to repeat may succeed later. */
export const mayRepeat = ({ status, retryAfterMs }: WeftError): boolean =>
  status === 0 || status === 503 || (status === 429 && (retryAfterMs ?? 0) <= MAX_PAUSE_MS);
