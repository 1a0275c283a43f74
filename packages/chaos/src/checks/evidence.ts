import type { AppliedFault } from '../faults/fault-log';
import type { Kind } from '../load/kind';
import type { Journal } from '../load/journal';
import type { Sink } from '../environment/sink';
import type { SeenClaim } from '../watch/sampler';
import type { ExecutionRow } from '../watch/store';

/** A workflow of the load, as it was stored. */
export interface StoredKind {
  readonly kind: Kind;
  readonly isHostile: boolean;
}

/** Input of the checks. */
export interface Evidence {
  readonly rows: readonly ExecutionRow[];
  /** By workflow id. */
  readonly kinds: ReadonlyMap<string, StoredKind>;
  readonly journal: Journal;
  readonly sink: Pick<Sink, 'calls' | 'ticks' | 'failures'>;
  readonly faults: readonly AppliedFault[];
  readonly claimsOf: (executionId: string) => readonly SeenClaim[];
  readonly leaseMs: number;
}

const END_STATES: readonly string[] = ['success', 'error', 'crashed', 'cancelled'];

/** True if a stored state is terminal. */
export const isEnded = ({ state }: Pick<ExecutionRow, 'state'>): boolean => END_STATES.includes(state);

/** True if a run belongs to an ordinary user. */
export const isHealthy = ({ kinds }: Evidence, { workflowId }: Pick<ExecutionRow, 'workflowId'>): boolean =>
  kinds.get(workflowId)?.isHostile === false;

const CLOCK_MS = 1_500;

/**
 * Runners that were hit, each with the time during which it was impaired; and times during which no process could reach
 * the store.
 */
interface Hurt {
  readonly runnerId: string | undefined;
  readonly from: number;
  readonly to: number;
}

const hurtsOf = ({ faults, leaseMs }: Evidence): readonly Hurt[] =>
  faults.flatMap(({ fault, runnerIds, startedAt, endedAt = Date.now() }): Hurt[] => {
    if (runnerIds.length > 0) return runnerIds.map((runnerId) => ({ runnerId, from: startedAt, to: endedAt }));
    const isStoreAway =
      fault !== 'poison' &&
      (fault.kind === 'kill-database' ||
        fault.kind === 'freeze-database' ||
        fault.kind === 'full-disk' ||
        (fault.kind === 'store-errors' && fault.store === 'executions'));
    // a runner that cannot renew for two thirds of its lease must stop, whatever the cause
    return isStoreAway && endedAt - startedAt > leaseMs / 2
      ? [{ runnerId: undefined, from: startedAt, to: endedAt }]
      : [];
  });

/** True if a run was on a runner while the runner was killed or frozen, according to the observed claims. */
export const createWasHit = (evidence: Evidence): ((executionId: string) => boolean) => {
  const hurts = hurtsOf(evidence);
  return (id) =>
    evidence
      .claimsOf(id)
      .some((claim) =>
        hurts.some(
          ({ runnerId, from, to }) =>
            (runnerId === undefined || runnerId === claim.runnerId) &&
            claim.firstSeen - CLOCK_MS <= to &&
            claim.lastSeen + CLOCK_MS >= from,
        ),
      );
};

/** A promise that was broken. */
export interface Violation {
  /** The promise, in a few words that begin with its number if it has one. */
  readonly check: string;
  /** Empty if it is about no single execution. */
  readonly executionId: string;
  readonly what: string;
}
