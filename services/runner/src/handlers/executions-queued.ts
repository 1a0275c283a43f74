import { createBatcher } from '@weft/service-kit/batching';
import { ServiceError } from '@weft/service-kit/errors';
import { WorkUnderWay } from '@weft/service-kit/in-flight';
import type { Replica } from '../clients/replicas';
import { createClaimUntilAnswered, type ClaimResult, type ClaimParams } from '../domain/claims/claim-until-answered';
import { createClaimOffered, createWaitForOffers } from '../domain/claims/claim-offered';
import type { ClaimedExecution } from '../domain/claims/claimed-execution';
import type { ExecutionStore } from '../domain/claims/held/execution-store';
import type { HandedOver } from '../domain/end/hand-over';
import type { Held } from '../domain/claims/held/held-executions';
import type { RunResult } from '../domain/end/run-result';
import type { FreeSlots } from '../domain/claims/shares/slots';
import type { TakeIds } from '../messaging/pull-work';
import { createClaimedRuns, type ClaimedRunsParts } from './claimed-runs';

/** Time for which the rest of a message waits here for a slot before another runner may have it. */
const KEEP_MS = 1_000;
/** Maximum ids per claim. */
const CLAIM_BATCHES = { maxBatch: 200, concurrency: 2, maxQueued: 5_000 } as const;

/** Handler of the messages of the queue. */
export interface QueuedExecutions {
  readonly take: TakeIds;
  /**
   * Claims one execution in isolation, and runs it. `onHeld` is called once it is held.
   * @returns false if it was not claimed here: the service did not respond, or its state is for another runner.
   */
  readonly takeIsolated: (
    executionId: string,
    onHeld: (held: Held, claimed: ClaimedExecution) => Promise<void>,
  ) => Promise<boolean>;
  /**
   * Runs an execution claimed by another process of this runner to its end. `onHeld` is called once it is held here; if
   * the claim is lost after that, nothing runs.
   * @returns false if there is no slot for it
   */
  readonly takeOver: (handedOver: HandedOver, onHeld: (held: Held) => Promise<void>) => Promise<boolean>;
  /**
   * Claims executions offered by a replica, each in a slot taken before, and runs them to their end. Never fails:
   * executions not claimed here are left to the queue.
   */
  readonly takeOffered: (ids: readonly string[], replica: ExecutionStore) => Promise<void>;
  /**
   * Waits until a replica offers executions, and runs them, each in one of the slots taken before. Unused slots are
   * freed.
   * @returns false: it offered none in that time
   * @throws ServiceError
   */
  readonly waitForOffers: (replica: Replica, slotCount: number, waitMs: number) => Promise<boolean>;
  /** Resolves when no claims or runs are left. */
  readonly whenIdle: () => Promise<void>;
}

/** Dependencies of the handler. */
export interface QueuedExecutionsParts extends ClaimedRunsParts {
  /** Executes a run in isolation. False: not possible now. */
  readonly runIsolated: (executionId: string) => Promise<boolean>;
  /** Fires when the process stops. */
  readonly stopping: AbortSignal;
}

/** The run of an offered execution; undefined: it was not claimed. */
interface Begun {
  readonly ended: Promise<RunResult> | undefined;
}

/** An id for which a slot was taken, and the function that frees it. */
interface InSlot {
  readonly id: string;
  readonly leave: () => void;
}

/**
 * Result for one id. `later`: the service did not respond about it. `unreadable`: this runner cannot resume its state.
 */
type Taken = 'answered' | 'isolated' | 'later' | 'unreadable';

/**
 * Announced ids are claimed together, as many as there are free slots, and run at once. Those that another runner holds
 * are refused, which is harmless.
 */
export const createQueuedExecutions = ({
  runIsolated,
  stopping,
  ...parts
}: QueuedExecutionsParts): QueuedExecutions => {
  const { store, held, slots, versions, environment, logger } = parts;
  const runs = createClaimedRuns(parts);
  /** Claims in flight, whose runs are yet to begin. */
  const claiming = new WorkUnderWay();
  const warn = (error: unknown, text: string): void =>
    logger.warn({ reason: error instanceof ServiceError ? error.reason : undefined, err: error }, text);
  const send = createClaimUntilAnswered({ store, clock: environment.clock, stopping, warn });
  const claimOffered = createClaimOffered({ store, clock: environment.clock, warn });
  const waitForOffers = createWaitForOffers(environment.clock);
  const claimUntilAnswered = (request: ClaimParams): Promise<ClaimResult> => claiming.track(send(request));

  /**
   * The run of each id, in order: its slot is freed at its end, or here if there is no run. An id that appears twice
   * has one run.
   */
  const leaveUnused = (wanted: readonly InSlot[], begun: Iterable<[string, Promise<RunResult>]>): Begun[] => {
    const left = new Map(begun);
    return wanted.map(({ id, leave }) => {
      const run = left.get(id);
      left.delete(id);
      if (run === undefined) leave();
      return { ended: run?.finally(leave) };
    });
  };
  const idsOf = (wanted: readonly InSlot[]): readonly string[] => [...new Set(wanted.map(({ id }) => id))];
  const claim = createBatcher<InSlot, Taken>({
    ...CLAIM_BATCHES,
    flush: async (wanted) => {
      const known = runs.knownVersions();
      const { answers, unanswered } = await claimUntilAnswered({
        ids: idsOf(wanted),
        isolated: false,
        knownVersionIds: [...known.keys()],
      });
      const became = new Map<string, Taken>(unanswered.map((id) => [id, 'later']));
      const begun = answers.flatMap((answer) => [
        ...runs.startAll(answer, known, (executionId) => became.set(executionId, 'answered')),
      ]);
      for (const { outcome } of answers) {
        for (const id of outcome.isolatedIds) became.set(id, 'isolated');
        for (const id of outcome.unreadableIds) became.set(id, 'unreadable');
      }
      leaveUnused(wanted, begun);
      return wanted.map(({ id }) => became.get(id) ?? 'answered');
    },
  });

  /** Claims at each replica; offers that arrive while claims are in flight share the next one. */
  const claimers = new WeakMap<ExecutionStore, (wanted: InSlot) => Promise<Begun>>();
  const claimerAt = (replica: ExecutionStore): ((wanted: InSlot) => Promise<Begun>) => {
    const made = claimers.get(replica);
    if (made !== undefined) return made;
    const claimer = createBatcher<InSlot, Begun>({
      ...CLAIM_BATCHES,
      flush: async (wanted) => {
        const known = runs.knownVersions();
        const answer = await claiming.track(
          claimOffered({ ids: idsOf(wanted), knownVersionIds: [...known.keys()], replica }),
        );
        return leaveUnused(wanted, answer === undefined ? [] : runs.startAll(answer, known, () => undefined, replica));
      },
    });
    claimers.set(replica, claimer);
    return claimer;
  };

  /** Claims ids as slots become free; ids that get none in time are left to others. */
  const claimInSlots = async (ids: readonly string[], free: FreeSlots): Promise<readonly Taken[]> => {
    const inSlot = (id: string): Promise<Taken> => claim({ id, leave: free.release });
    const end = environment.clock() + KEEP_MS;
    const claims: Promise<Taken>[] = [];
    for (let at = 0; at < ids.length;) {
      const count = free.takeFree(ids.length - at);
      claims.push(...ids.slice(at, at + count).map(inSlot));
      at += count;
      if (at < ids.length && !(await free.freeWithin(end - environment.clock()))) break;
    }
    return Promise.all([...claims, ...ids.slice(claims.length).map(() => Promise.resolve<Taken>('later'))]);
  };
  return {
    take: async (ids, free) => {
      try {
        const taken = await claimInSlots(ids, free);
        // Such runs are also announced in the queue: declined ones need not be announced again.
        await Promise.all(ids.filter((_, index) => taken[index] === 'isolated').map(runIsolated));
        if (taken.includes('later')) return 'again';
        return taken.includes('unreadable') ? 'elsewhere' : 'answered';
      } catch (error) {
        warn(error, 'a message could not be claimed');
        return 'again';
      }
    },
    takeIsolated: async (executionId, onHeld) => {
      const known = runs.knownVersions();
      const { answers } = await claimUntilAnswered({
        ids: [executionId],
        isolated: true,
        knownVersionIds: [...known.keys()],
      });
      const [answer] = answers;
      if (answer === undefined) return false;
      const {
        outcome: {
          claimed: [claimed],
          versions: sent,
          leaseMs,
          unreadableIds,
        },
        sentAt,
      } = answer;
      if (claimed === undefined) return !unreadableIds.includes(executionId);
      const hold = held.hold(claimed.executionId, claimed.fence, leaseMs, sentAt);
      await onHeld(hold, claimed);
      slots.take();
      await runs.run(claimed, runs.workflowOf(claimed, sent[0], known), hold, leaseMs).finally(slots.release);
      return true;
    },
    takeOver: async ({ claimed, definition, leaseMs }, onHeld) => {
      if (slots.takeFree(1) === 0) return false;
      const claim = held.hold(claimed.executionId, claimed.fence, leaseMs, environment.clock());
      let ended: Promise<RunResult> | undefined;
      try {
        await onHeld(claim);
        if (claim.signal.aborted) return true;
        const { versionId } = claimed;
        const workflow =
          versions.get(versionId) ?? versions.add(versionId, definition, JSON.stringify(definition).length);
        ended = runs.run(claimed, workflow, claim, leaseMs).finally(slots.release);
      } finally {
        if (ended === undefined) {
          held.release(claim);
          slots.release();
        }
      }
      await ended;
      return true;
    },
    takeOffered: async (ids, replica) => {
      const claimAt = claimerAt(replica);
      const begun = await Promise.all(ids.map((id) => claimAt({ id, leave: slots.release })));
      await Promise.all(begun.flatMap(({ ended }) => ended ?? []));
    },
    waitForOffers: async ({ claimOffered, store: replica }, slotCount, waitMs) => {
      const known = runs.knownVersions();
      let begun: readonly Promise<RunResult>[] = [];
      try {
        const knownVersionIds = [...known.keys()];
        const answer = await claiming.track(waitForOffers({ claimOffered, most: slotCount, waitMs, knownVersionIds }));
        if (answer === undefined) return false;
        begun = [...runs.startAll(answer, known, () => undefined, replica).values()];
        return true;
      } finally {
        for (const run of begun) void run.finally(slots.release);
        for (let left = begun.length; left < slotCount; left += 1) slots.release();
      }
    },
    whenIdle: async () => {
      const rest = (): readonly Promise<unknown>[] => [...runs.running(), ...claiming];
      while (rest().length > 0) await Promise.all(rest());
    },
  };
};
