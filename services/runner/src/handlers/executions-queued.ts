import { createBatcher } from '@weft/service-kit/batching';
import { ServiceError } from '@weft/service-kit/errors';
import type { Logger } from '@weft/service-kit/logging';
import { readDefinition } from '@weft/node-catalogue';
import {
  createClaimUntilAnswered,
  type ClaimAnswer,
  type ClaimResult,
  type ClaimParams,
} from '../domain/claim-until-answered';
import { createClaimOffered } from '../domain/claim-offered';
import { ownerKeyOf, type ClaimedExecution, type WorkflowVersion } from '../domain/claimed-execution';
import type { CrowdedOwners } from '../domain/crowded-owners';
import { createEagerStore } from '../domain/eager-store';
import type { PreparedCache, PreparedWorkflow } from '@weft/engine';
import type { ExecutionStore } from '../domain/execution-store';
import { handOver, releaseUnchanged, type HandedOver, type HeavyRuns } from '../domain/hand-over';
import type { Held, HeldExecutions } from '../domain/held-executions';
import { RunUnreadable } from '../domain/load-claimed';
import { endWithError, runExecution, type RunEnvironment, type RunResult } from '../domain/run-execution';
import { shareSlot, type FreeSlots, type Slots } from '../domain/slots';
import { createStartChild, type SubWorkflowParts } from '../domain/sub-workflows';
import type { TakeIds } from '../messaging/pull-work';

/** Maximum number of versions named as known in one claim. */
const KNOWN_VERSIONS = 100;
/** Time for which the rest of a message waits here for a slot before another runner may have it. */
const KEEP_MS = 1_000;
/** Ids that are claimed together. */
const CLAIM_BATCHES = { maxBatch: 200, concurrency: 2, maxQueued: 5_000 } as const;
const decoder = new TextDecoder();

/** Handler of the messages of the queue. */
export interface QueuedExecutions {
  readonly take: TakeIds;
  /**
   * Claims one execution as the only one of this process, and runs it. `onAlone` is called once it is held.
   * @returns false if it was not claimed here: the service gave no answer.
   */
  readonly takeAlone: (
    executionId: string,
    onHeld: (held: Held, claimed: ClaimedExecution) => Promise<void>,
  ) => Promise<boolean>;
  /**
   * Runs an execution that another process of this runner has claimed, to its end. `onHeld` is called once it is held
   * here; if the claim is lost after that, nothing runs.
   * @returns false if there is no slot for it
   */
  readonly takeOver: (handedOver: HandedOver, onHeld: (held: Held) => Promise<void>) => Promise<boolean>;
  /**
   * Claims executions that a replica has offered, each in a slot that was taken for it before, and runs them to their
   * end. Never fails: what is not won here is the queue's.
   */
  readonly takeOffered: (ids: readonly string[], replica: ExecutionStore) => Promise<void>;
  /** Resolves when nothing is claimed or runs any more. */
  readonly whenIdle: () => Promise<void>;
}

/** Parts that the handler works with. */
export interface QueuedExecutionsParts {
  readonly store: ExecutionStore;
  readonly held: HeldExecutions;
  readonly slots: Slots;
  readonly versions: PreparedCache;
  readonly environment: RunEnvironment;
  readonly crowded: Pick<CrowdedOwners, 'began'>;
  /** Has an execution run where nothing runs beside it. False: it cannot be had there now. */
  readonly runAlone: (executionId: string) => Promise<boolean>;
  /** Absent: runs of owners with large data are executed here as well. */
  readonly heavy?: HeavyRuns;
  /** Fires when the process stops. */
  readonly stopping: AbortSignal;
  readonly logger: Logger;
}

/** A run that was claimed where it was offered; undefined: it was not. */
interface Begun {
  readonly ended: Promise<RunResult> | undefined;
}

const NO_RUNS: ReadonlyMap<string, Promise<RunResult>> = new Map();

/** An id for which a slot was taken, and what leaves that. */
interface InSlot {
  readonly id: string;
  readonly leave: () => void;
}

/** Result for one id. `later`: the service said nothing about it. */
type Taken = 'settled' | 'alone' | 'later';

/**
 * Ids that were announced are claimed together, as many as there are free slots, and run at once. What another runner
 * has is refused, which is harmless.
 */
export const createQueuedExecutions = ({
  store,
  held,
  slots,
  versions,
  environment,
  crowded,
  runAlone,
  heavy,
  stopping,
  logger,
}: QueuedExecutionsParts): QueuedExecutions => {
  const running = new Set<Promise<RunResult>>();
  /** Claims under way: what they win is yet to begin. */
  const claiming = new Set<Promise<unknown>>();
  const warn = (error: unknown, text: string): void =>
    logger.warn({ reason: error instanceof ServiceError ? error.reason : undefined, err: error }, text);
  const send = createClaimUntilAnswered({ store, clock: environment.clock, stopping, warn });
  const claimOffered = createClaimOffered({ store, clock: environment.clock, warn });
  const underWay = <Result>(work: Promise<Result>): Promise<Result> => {
    const sent: Promise<Result> = work.finally(() => claiming.delete(sent));
    claiming.add(sent);
    return sent;
  };
  const claimUntilAnswered = (request: ClaimParams): Promise<ClaimResult> => underWay(send(request));

  const prepare = ({ versionId, definition }: WorkflowVersion): PreparedWorkflow | RunUnreadable => {
    try {
      return (
        versions.get(versionId) ??
        versions.add(versionId, readDefinition(JSON.parse(decoder.decode(definition))), definition.length)
      );
    } catch (error) {
      return new RunUnreadable(`the definition of version ${versionId} cannot be read`, error);
    }
  };
  const knownVersionIds = (): readonly string[] => [...versions.latest(KNOWN_VERSIONS).keys()];

  const run = async (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow | RunUnreadable | undefined,
    claim: Held,
    leaseMs: number,
    of: RunEnvironment = environment,
  ): Promise<RunResult> => {
    try {
      if (workflow === undefined) return await releaseUnchanged(claimed, claim, of.store);
      if (workflow instanceof RunUnreadable)
        return await endWithError(claimed, { checkpoint: claimed.checkpoint, nodeRuns: [] }, claim, workflow, of.store);
      if (heavy?.owners.has(ownerKeyOf(claimed)) === true)
        return await handOver(heavy, { claimed, definition: workflow.definition, leaseMs }, claim, of);
      const runChild: SubWorkflowParts['runChild'] = (child, version, caller, sentAt) =>
        startChild(child, version, caller, leaseMs, sentAt);
      return await runExecution(claimed, workflow, claim, of, (reach) =>
        createStartChild(
          { store, knownVersionIds, runChild, clock: environment.clock },
          { claimed, held: claim, reach },
        ),
      );
    } catch (error) {
      logger.warn(
        { err: error, executionId: claimed.executionId },
        'a run could not be brought to an end here; it is taken up again when its lease has run out',
      );
      return { kind: 'suspended' };
    } finally {
      held.release(claim);
    }
  };
  const track = (work: Promise<RunResult>): Promise<RunResult> => {
    const done: Promise<RunResult> = work.finally(() => running.delete(done));
    running.add(done);
    return done;
  };
  const startChild = (
    child: ClaimedExecution,
    version: WorkflowVersion | undefined,
    caller: Held,
    leaseMs: number,
    sentAt: number,
  ): Promise<RunResult> => {
    const workflow = version === undefined ? versions.get(child.versionId) : prepare(version);
    const claim = held.hold(child.executionId, child.fence, leaseMs, sentAt);
    return track(run(child, workflow, claim, leaseMs).finally(shareSlot(caller, claim, slots)));
  };

  /**
   * Starts what was won, each in a slot that was taken for it before. `replica`: the one that holds what is not stored
   * yet.
   */
  const startAll = (
    { outcome, sentAt }: ClaimAnswer,
    known: ReadonlyMap<string, PreparedWorkflow>,
    began: Map<string, Taken>,
    replica: ExecutionStore = store,
  ): ReadonlyMap<string, Promise<RunResult>> => {
    const { leaseMs, firstLeaseMs } = outcome;
    const sent = new Map(outcome.versions.map((version) => [version.versionId, prepare(version)]));
    const runs = new Map<string, Promise<RunResult>>();
    for (const claimed of outcome.claimed) {
      const eager = firstLeaseMs === undefined ? undefined : { firstLeaseMs, parts: createEagerStore(replica, store) };
      const first = eager && {
        ms: eager.firstLeaseMs,
        isOver: async () => (await eager.parts.store.persist(claimed)) === 'fenced',
      };
      const claim = held.hold(claimed.executionId, claimed.fence, leaseMs, sentAt, first);
      const workflow = sent.get(claimed.versionId) ?? versions.get(claimed.versionId) ?? known.get(claimed.versionId);
      began.set(claimed.executionId, 'settled');
      runs.set(
        claimed.executionId,
        track(
          run(claimed, workflow, claim, leaseMs, { ...environment, ...eager?.parts }).finally(
            crowded.began(claimed.ownerId),
          ),
        ),
      );
    }
    for (const id of outcome.aloneIds) began.set(id, 'alone');
    return runs;
  };
  /**
   * The run of each, in order: its slot is left at its end, those without a run are left here. One id may be there
   * twice, and has one run all the same.
   */
  const leaveUnused = (wanted: readonly InSlot[], runs: Iterable<[string, Promise<RunResult>]>): Begun[] => {
    const left = new Map(runs);
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
      const known = versions.latest(KNOWN_VERSIONS);
      const { answers, unanswered } = await claimUntilAnswered({
        ids: idsOf(wanted),
        alone: false,
        knownVersionIds: [...known.keys()],
      });
      const became = new Map<string, Taken>(unanswered.map((id) => [id, 'later']));
      leaveUnused(
        wanted,
        answers.flatMap((answer) => [...startAll(answer, known, became)]),
      );
      return wanted.map(({ id }) => became.get(id) ?? 'settled');
    },
  });

  /** Claims at each replica; offers that come while claims are under way share the next one. */
  const claimers = new WeakMap<ExecutionStore, (wanted: InSlot) => Promise<Begun>>();
  const claimerAt = (replica: ExecutionStore): ((wanted: InSlot) => Promise<Begun>) => {
    const known = claimers.get(replica);
    if (known !== undefined) return known;
    const claimer = createBatcher<InSlot, Begun>({
      ...CLAIM_BATCHES,
      flush: async (wanted) => {
        const versionsBefore = versions.latest(KNOWN_VERSIONS);
        const answer = await underWay(
          claimOffered({ ids: idsOf(wanted), knownVersionIds: [...versionsBefore.keys()], replica }),
        );
        const runs = answer === undefined ? NO_RUNS : startAll(answer, versionsBefore, new Map(), replica);
        return leaveUnused(wanted, runs);
      },
    });
    claimers.set(replica, claimer);
    return claimer;
  };

  /** Claims ids as slots become free; ids that find none in time are left to others. */
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
        const alone = await Promise.all(ids.filter((_, index) => taken[index] === 'alone').map(runAlone));
        return taken.every((one) => one !== 'later') && alone.every((isTaken) => isTaken);
      } catch (error) {
        warn(error, 'a message could not be claimed');
        return false;
      }
    },
    takeAlone: async (executionId, onHeld) => {
      const known = versions.latest(KNOWN_VERSIONS);
      const { answers } = await claimUntilAnswered({
        ids: [executionId],
        alone: true,
        knownVersionIds: [...known.keys()],
      });
      const [answer] = answers;
      if (answer === undefined) return false;
      const {
        outcome: {
          claimed: [claimed],
          versions: sent,
          leaseMs,
        },
        sentAt,
      } = answer;
      if (claimed === undefined) return true;
      const hold = held.hold(claimed.executionId, claimed.fence, leaseMs, sentAt);
      await onHeld(hold, claimed);
      const [version] = sent;
      const workflow =
        version === undefined ? (versions.get(claimed.versionId) ?? known.get(claimed.versionId)) : prepare(version);
      slots.take();
      await track(run(claimed, workflow, hold, leaseMs).finally(slots.release));
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
        ended = track(run(claimed, workflow, claim, leaseMs).finally(slots.release));
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
    whenIdle: async () => {
      while (running.size + claiming.size > 0) await Promise.all([...running, ...claiming]);
    },
  };
};
