import { END_REASONS } from './errors';
import type { ApplyWrite, Clock, Outcome } from './ports';
import { heartbeatWrite } from './run-writes';

/** Whether a claim still holds; `cancelled`: it ended from outside, and its runner is to abort it. */
export type HeartbeatOutcome = 'held' | 'lost' | 'cancelled';

/** Renews the lease of a claim; `isShared`: others are about to run beside it. @throws Unavailable */
export type HeartbeatExecution = (executionId: string, fence: number, isShared?: boolean) => Promise<HeartbeatOutcome>;

const wasEndedFromOutside = ({ found }: Outcome, fence: number): boolean =>
  found !== undefined &&
  found.fence === fence &&
  (found.state === 'cancelled' || found.reason === END_REASONS.timedOut);

/** Renews leases; renewals that come together go out together. */
export const createHeartbeatExecution =
  (apply: ApplyWrite, clock: Clock, leaseMs: number): HeartbeatExecution =>
  async (executionId, fence, isShared) => {
    const outcome = await apply(executionId, heartbeatWrite(fence, new Date(clock()), leaseMs, isShared));
    if (outcome.outcome === 'applied' || outcome.outcome === 'duplicate') return 'held';
    return wasEndedFromOutside(outcome, fence) ? 'cancelled' : 'lost';
  };
