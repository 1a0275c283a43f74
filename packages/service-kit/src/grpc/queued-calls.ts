import { Unsent } from '../errors';
import type { Guard } from './breaker';

/** Options of the queue of background calls. */
export interface QueuedCallsOptions {
  /** Name of the peer, for messages. */
  readonly service: string;
  /** Maximum calls in flight. */
  readonly concurrency: number;
  /** Maximum waiting calls; more are refused as unavailable. */
  readonly maxQueued: number;
}

/**
 * Guard of background work, which must be done once it is accepted: a 503 has no recipient. It does not refuse because
 * of earlier failures; calls above the concurrency wait in order.
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
    // A finished call passes its place on.
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
