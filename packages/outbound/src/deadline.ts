import { OutboundError } from './outbound-http';

/** The one clock of a request. Its signal fires when the time is up or the caller gives up, and ends the socket. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** The reason the signal fired with, or undefined. */
  reason(): OutboundError | undefined;
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
  const timer = setTimeout(
    () => fire(new OutboundError('TIMEOUT', `There was no complete response within ${limit} ms.`, 'ETIMEDOUT')),
    limit,
  );
  if (caller?.aborted === true) onAbort();
  caller?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    reason: () => state.reason,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onAbort);
    },
  };
}
