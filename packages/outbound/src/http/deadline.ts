import { OutboundError } from './outbound-http';

/** The one clock of a request. Its signal fires when the time is up or the caller gives up, and ends the socket. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The reason the signal fired with, or undefined. */
  reason(): OutboundError | undefined;
  /** Fires at once with another reason than the time limit; the first reason counts. */
  fail(reason: OutboundError): void;
  /** Stops the clock while something else than the server is waited for. */
  pauseFor<Result>(wait: () => Promise<Result>): Promise<Result>;
  /** Drops the timer and the caller's signal. */
  end(): void;
}

/** The longest time limit that can be asked for: one hour. */
const MAX_TIMEOUT_MS = 3_600_000;

/** Starts the clock of one request: `timeoutMs` from now, held within 1 ms and one hour. */
export function startDeadline(timeoutMs: number, caller?: AbortSignal): Deadline {
  const controller = new AbortController();
  const limit = Math.min(Math.max(Math.trunc(timeoutMs), 1), MAX_TIMEOUT_MS);
  const state: { reason?: OutboundError } = {};
  const fire = (reason: OutboundError): void => {
    state.reason ??= reason;
    controller.abort(state.reason);
  };
  const onAbort = (): void => fire(new OutboundError('ABORTED', 'The request was given up because the run ended.'));
  const expire = (): void =>
    fire(new OutboundError('TIMEOUT', `There was no complete response within ${limit} ms.`, 'ETIMEDOUT'));
  let leftMs = limit;
  let startedAt = performance.now();
  let isOver = false;
  let timer = setTimeout(expire, leftMs);
  if (caller?.aborted === true) onAbort();
  caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    reason: () => state.reason,
    fail: fire,
    pauseFor: async (wait) => {
      clearTimeout(timer);
      leftMs = Math.max(1, leftMs - (performance.now() - startedAt));
      try {
        return await wait();
      } finally {
        startedAt = performance.now();
        if (!isOver) timer = setTimeout(expire, leftMs);
      }
    },
    end: () => {
      isOver = true;
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
