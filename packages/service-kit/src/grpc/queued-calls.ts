import { Unavailable } from '../errors';
import type { Guard } from './breaker';

/** How calls of background work queue. */
export interface QueuedCallsOptions {
  /** Who is called; for messages. */
  readonly service: string;
  /** Calls in flight. */
  readonly concurrency: number;
  /** Calls that may wait for their place; more are refused as unavailable. */
  readonly maxQueued: number;
}

/**
 * The guard of background work, whose callers have nobody to answer 503 to: what was accepted must be done. It never
 * refuses because calls before it failed, and calls above the concurrency wait for their place, in order.
 */
export const createQueuedCalls = ({ service, concurrency, maxQueued }: QueuedCallsOptions): Guard => {
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  const enter = async (): Promise<void> => {
    if (inFlight < concurrency) {
      inFlight += 1;
      return;
    }
    if (waiting.length >= maxQueued) throw new Unavailable(`Too many calls of the ${service} service wait already.`);
    // Whoever leaves hands its place on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) inFlight -= 1;
    else next();
  };
  return async (call) => {
    await enter();
    try {
      return await call();
    } finally {
      leave();
    }
  };
};
