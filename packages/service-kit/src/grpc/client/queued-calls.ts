import { Unsent } from '../../errors';
import type { Guard } from './breaker';

export interface QueuedCallsOptions {
  /** Name of the peer, for messages. */
  readonly service: string;
  /** Maximum calls in flight. */
  readonly concurrency: number;
  /** Maximum waiting calls; more are refused as unavailable. */
  readonly maxQueued: number;
}

/**
 * Guard for background work, which must be done once it is accepted because there is no caller to report a 503 to. It
 * does not refuse calls after failures; calls above the concurrency wait in order.
 */
export const createQueuedCalls = ({ service, concurrency, maxQueued }: QueuedCallsOptions): Guard => {
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const enter = async (): Promise<void> => {
    if (inFlight < concurrency) {
      inFlight += 1;
      return;
    }
    if (waiting.length >= maxQueued) throw new Unsent(`Too many calls to the ${service} service are waiting.`);
    // A finished call passes its slot on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) inFlight -= 1;
    else next();
  };
  const guard = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    await enter();
    try {
      return await call();
    } finally {
      leave();
    }
  };
  return Object.assign(guard, { close: () => undefined });
};
