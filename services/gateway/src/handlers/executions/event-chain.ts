import { StreamEnd, type StreamEventsResponse } from '@weft/proto/events';
import type { Principal } from '@weft/service-kit/auth';
import { type ServiceError, toServiceError } from '@weft/service-kit/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import type { EventsClient } from '../../clients/events';

/** A frame of a chain of calls: as in one call, except that only the last end is passed on. */
export type ChainFrame = NonNullable<StreamEventsResponse['frame']>;

/** A reader of events over one long connection. */
export interface ChainOptions {
  readonly executionId: string;
  /** The last sequence number that the client has. */
  readonly after: number;
  readonly principal: Principal;
  /** Verifies the caller again. @throws Unauthorized */
  readonly verify: () => Promise<Principal>;
  /** Fires when the client has left. */
  readonly signal: AbortSignal;
  /** Fires when the chain must end soon: the process stops. */
  readonly stopping: AbortSignal;
  readonly calls: Pick<EventsClient['calls'], 'streamEvents'>;
  /** Milliseconds of a chain; 10 minutes if absent. */
  readonly chainMs?: number;
  /** Monotonic milliseconds. */
  readonly clock?: () => number;
}

const CHAIN_MS = 600_000;

/** Above the time limit of a stream of the service, which so ends first. */
const CALL_MS = 55_000;

/** Delay before the next call: a replica that stops ends its streams at once. */
const NEXT_MS = 100;
/** Delay after the service could not be reached. */
const REPEAT_MS = 1_000;

/** Time for which the service may be unreachable: then the client reconnects, perhaps to another gateway. */
const UNREACHABLE_MS = 30_000;

const isTemporary = (error: ServiceError): boolean => error.kind === 'unavailable' || error.kind === 'timeout';

/**
 * Follows an execution by one call after the other, and verifies the caller before each. The first call must succeed;
 * later ones are repeated while the service cannot be reached.
 * @throws EXECUTION_NOT_FOUND, TOO_MANY_WAITING, Unauthorized, Forbidden, Unavailable
 */
export async function* chainEvents(options: ChainOptions): AsyncGenerator<ChainFrame> {
  const { executionId, calls, verify, signal, stopping, chainMs = CHAIN_MS, clock = () => performance.now() } = options;
  const endsAt = clock() + chainMs;
  let { after, principal } = options;
  let shown = '';
  let reachedAt: number | undefined;
  for (;;) {
    let hasFailed = false;
    try {
      if (reachedAt !== undefined) principal = await verify();
      const cancelled = AbortSignal.any([signal, stopping]);
      const call = { principal, deadlineMs: CALL_MS, signal: cancelled };
      for await (const { frame } of calls.streamEvents({ executionId, afterSequence: after }, call)) {
        reachedAt = clock();
        if (frame === undefined) continue;
        if (frame.$case === 'end' && frame.value !== StreamEnd.STREAM_END_TIME_LIMIT) return yield frame;
        if (frame.$case === 'end') break;
        if (frame.$case === 'event') after = frame.value.sequence;
        if (frame.$case === 'progress') {
          // A state that was shown before is not shown again.
          const state = JSON.stringify(frame.value);
          if (state === shown) continue;
          shown = state;
        }
        yield frame;
      }
    } catch (thrown) {
      const error = toServiceError(thrown);
      const isLong = reachedAt === undefined || clock() - reachedAt > UNREACHABLE_MS;
      if (!signal.aborted && !stopping.aborted && (isLong || !isTemporary(error))) throw error;
      hasFailed = true;
    }
    if (signal.aborted) return;
    if (stopping.aborted || clock() >= endsAt) return yield { $case: 'end', value: StreamEnd.STREAM_END_TIME_LIMIT };
    await sleep(hasFailed ? REPEAT_MS : NEXT_MS);
  }
}
