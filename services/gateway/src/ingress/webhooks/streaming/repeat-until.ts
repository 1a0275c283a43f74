import { toServiceError } from '@weft/service-kit/errors';
import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum duration of a streamed response. */
const MAX_MS = 900_000;
/** Shortest time between two calls: a service that cannot wait responds at once, without a response of the run. */
const MIN_INTERVAL_MS = 500;
/** Delay after a failed call, and the time for which calls may fail. */
const REPEAT_MS = 1_000;
const UNREACHABLE_MS = 60_000;

/** Time that one call waits for the response of a run; the next one continues. */
export const WAIT_MS = 25_000;
/** Options of such a call. */
export const LONG_CALL = { waits: true, deadlineMs: 30_000 } as const;

/**
 * Repeats a call that waits for a run until it has a result.
 * @param call gets whether an earlier call has succeeded; without a result it is repeated
 * @returns undefined if the time is over, or the caller has left
 * @throws ServiceError of the first call, or if the service cannot be reached for long
 */
export const repeatUntil = async <Result>(
  call: (isRepeated: boolean) => Promise<Result | undefined>,
  signal: AbortSignal,
): Promise<Result | undefined> => {
  const endsAt = performance.now() + MAX_MS;
  let reachedAt: number | undefined;
  while (!signal.aborted && performance.now() < endsAt) {
    const calledAt = performance.now();
    try {
      const result = await call(reachedAt !== undefined);
      reachedAt = performance.now();
      if (result !== undefined) return result;
      const waitMs = calledAt + MIN_INTERVAL_MS - reachedAt;
      if (waitMs > 0) await sleep(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    } catch (thrown) {
      const { kind } = toServiceError(thrown);
      const isTemporary = kind === 'unavailable' || kind === 'timeout';
      if (reachedAt === undefined || !isTemporary || performance.now() - reachedAt > UNREACHABLE_MS) throw thrown;
      await sleep(REPEAT_MS);
    }
  }
  return undefined;
};
