import { status as GrpcCode } from '@grpc/grpc-js';
import CircuitBreaker from 'opossum';
import { Unavailable } from '../errors';

/** Runs a call through a breaker: refused at once while the other side is down. */
export type Guard = <Result>(call: () => Promise<Result>) => Promise<Result>;

/** How a breaker behaves. */
export interface BreakerOptions {
  /** Who is called; for messages. */
  readonly service: string;
  /** Most calls in flight. */
  readonly capacity: number;
  /** Whether a missed deadline counts as a failure. */
  readonly countsDeadlines: boolean;
  /** Milliseconds for which an open breaker refuses before it tries one call. */
  readonly resetMs?: number;
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** The failures that say something about the other side, not about the request. A status with a reason is an answer. */
export const isFailure = (error: unknown, countsDeadlines: boolean): boolean => {
  const code = codeOf(error);
  if (code === GrpcCode.UNAVAILABLE) return true;
  if (code === GrpcCode.DEADLINE_EXCEEDED) return countsDeadlines;
  if (code !== GrpcCode.INTERNAL && code !== GrpcCode.UNKNOWN) return false;
  const metadata = typeof error === 'object' && error !== null && 'metadata' in error ? error.metadata : undefined;
  const hasReason =
    typeof metadata === 'object' &&
    metadata !== null &&
    'get' in metadata &&
    typeof metadata.get === 'function' &&
    metadata.get('grpc-status-details-bin').length > 0;
  return !hasReason;
};

/**
 * A call that was open this many milliseconds reached the other side: its loss tells of one replica, not of the
 * service.
 */
const REACHED_MS = 1_000;

/** One breaker; the gRPC deadline is the only clock, so opossum's own is off. */
export const createGuard = ({ service, capacity, countsDeadlines, resetMs = 5_000 }: BreakerOptions): Guard => {
  const cutOff = new WeakSet<object>();
  const breaker = new CircuitBreaker((call: () => Promise<unknown>) => call(), {
    timeout: false,
    volumeThreshold: 20,
    errorThresholdPercentage: 50,
    rollingCountTimeout: 10_000,
    resetTimeout: resetMs,
    capacity,
    errorFilter: (error: unknown) =>
      !isFailure(error, countsDeadlines) || (typeof error === 'object' && error !== null && cutOff.has(error)),
  });
  return async <Result>(call: () => Promise<Result>): Promise<Result> => {
    let result: { readonly value: Result } | undefined;
    try {
      await breaker.fire(async () => {
        const begun = performance.now();
        try {
          result = { value: await call() };
        } catch (error) {
          if (!countsDeadlines && typeof error === 'object' && error !== null && performance.now() - begun > REACHED_MS)
            cutOff.add(error);
          throw error;
        }
      });
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOPENBREAKER') throw new Unavailable(`The ${service} service is not available now.`, error);
      if (code === 'ESEMLOCKED')
        throw new Unavailable(`Too many calls of the ${service} service are under way.`, error);
      throw error;
    }
    if (result === undefined) throw new Error('The breaker gave no result.');
    return result.value;
  };
};
