import { status as GrpcCode } from '@grpc/grpc-js';
import CircuitBreaker from 'opossum';
import { Unsent } from '../../errors';
import { BREAKER_STATES, countRejected, showBreaker } from '../metrics';

/** Runs calls through a breaker, which refuses them immediately while the peer is down. */
export interface Guard {
  <Result>(call: () => Promise<Result>): Promise<Result>;
  /** Removes its state from the metrics. */
  readonly close: () => void;
}

export interface BreakerOptions {
  /** Name of the peer, for messages. */
  readonly service: string;
  /** Maximum calls in flight. */
  readonly capacity: number;
  /** True if an exceeded deadline counts as a failure. */
  readonly countsDeadlines: boolean;
  /** Milliseconds after which an open breaker tries one call. */
  readonly resetMs?: number;
}

const codeOf = (error: unknown): unknown =>
  typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;

/** True if a failure is the peer's rather than the request's. A status with a reason is a response of the peer. */
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
 * A call that was open this long, in milliseconds, reached the peer: its loss concerns one replica, not the service.
 */
const REACHED_MS = 1_000;

/** Creates a breaker. gRPC deadlines are the timeouts; opossum's timeouts are off. */
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
  const { closed, halfOpen, open } = BREAKER_STATES;
  const hide = showBreaker(service, () => (breaker.opened ? open : breaker.halfOpen ? halfOpen : closed));
  const guard = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    let result: { readonly value: Result } | undefined;
    try {
      await breaker.fire(async () => {
        const startedAt = performance.now();
        try {
          result = { value: await call() };
        } catch (error) {
          if (
            !countsDeadlines &&
            typeof error === 'object' &&
            error !== null &&
            performance.now() - startedAt > REACHED_MS
          )
            cutOff.add(error);
          throw error;
        }
      });
    } catch (error) {
      const code = codeOf(error);
      if (code === 'EOPENBREAKER') countRejected(service, 'open');
      if (code === 'ESEMLOCKED') countRejected(service, 'capacity');
      if (code === 'EOPENBREAKER') throw new Unsent(`The ${service} service is unavailable. Try again.`, error);
      if (code === 'ESEMLOCKED')
        throw new Unsent(`Too many calls to the ${service} service are in flight. Try again.`, error);
      throw error;
    }
    if (result === undefined) throw new Error('The breaker returned no result.');
    return result.value;
  };
  return Object.assign(guard, { close: hide });
};
