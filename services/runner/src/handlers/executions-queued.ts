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
import type { ClaimedExecution, WorkflowVersion } from '../domain/claimed-execution';
import type { PreparedCache, PreparedWorkflow } from '@weft/engine';
import type { ExecutionStore } from '../domain/execution-store';
import type { Held, HeldExecutions } from '../domain/held-executions';
import { RunUnreadable } from '../domain/load-claimed';
import { retryWhileHeld } from '../domain/retry-while-held';
import { endWithError, runExecution, type RunEnvironment, type RunResult } from '../domain/run-execution';
import { shareSlot, type Slots } from '../domain/slots';
import { createStartChild, type SubWorkflowParts } from '../domain/sub-workflows';
import type { TakeIds } from '../messaging/pull-work';

/** Maximum number of versions named as known in one claim. */
const KNOWN_VERSIONS = 100;
/** Time for which the rest of a message waits here for a slot before another runner may have it. */
const KEEP_MS = 1_000;
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
  /** Has an execution run where nothing runs beside it. False: it cannot be had there now. */
  readonly runAlone: (executionId: string) => Promise<boolean>;
  /** Fires when the process stops. */
  readonly stopping: AbortSignal;
  readonly logger: Logger;
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
  runAlone,
  stopping,
  logger,
}: QueuedExecutionsParts): QueuedExecutions => {
  const running = new Set<Promise<RunResult>>();
  /** Claims under way: what they win is yet to begin. */
  const claiming = new Set<Promise<ClaimResult>>();
  const warn = (error: unknown, text: string): void =>
    logger.warn({ reason: error instanceof ServiceError ? error.reason : undefined, err: error }, text);
  const send = createClaimUntilAnswered({ store, clock: environment.clock, stopping, warn });
  const claimUntilAnswered = (request: ClaimParams): Promise<ClaimResult> => {
    const sent: Promise<ClaimResult> = send(request).finally(() => claiming.delete(sent));
    claiming.add(sent);
    return sent;
  };

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

  /** A run that cannot start here for want of its definition goes back unchanged. */
  const release = async ({ executionId, fence, checkpoint }: ClaimedExecution, claim: Held): Promise<RunResult> => {
    await retryWhileHeld(
      () => store.release({ executionId, fence, checkpoint, nodeRuns: [], engineState: new Uint8Array(0) }),
      claim.signal,
    );
    return { kind: 'suspended' };
  };
  const run = async (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow | RunUnreadable | undefined,
    claim: Held,
    leaseMs: number,
  ): Promise<RunResult> => {
    try {
      if (workflow === undefined) return await release(claimed, claim);
      if (workflow instanceof RunUnreadable)
        return await endWithError(claimed, { checkpoint: claimed.checkpoint, nodeRuns: [] }, claim, workflow, store);
      const runChild: SubWorkflowParts['runChild'] = (child, version, caller, sentAt) =>
        startChild(child, version, caller, leaseMs, sentAt);
      return await runExecution(claimed, workflow, claim, environment, (reach) =>
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
  const track = (work: Promise<RunResult>, leave: () => void): Promise<RunResult> => {
    const done = work.finally(() => {
      leave();
      running.delete(done);
    });
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
    return track(run(child, workflow, claim, leaseMs), shareSlot(caller, claim, slots));
  };

  /** Starts what was won, each in a slot that was taken for it before. */
  const startAll = (
    { outcome, sentAt }: ClaimAnswer,
    known: ReadonlyMap<string, PreparedWorkflow>,
    began: Map<string, Taken>,
  ): void => {
    const sent = new Map(outcome.versions.map((version) => [version.versionId, prepare(version)]));
    for (const claimed of outcome.claimed) {
      const claim = held.hold(claimed.executionId, claimed.fence, outcome.leaseMs, sentAt);
      const workflow = sent.get(claimed.versionId) ?? versions.get(claimed.versionId) ?? known.get(claimed.versionId);
      began.set(claimed.executionId, 'settled');
      void track(run(claimed, workflow, claim, outcome.leaseMs), slots.release);
    }
    for (const id of outcome.aloneIds) began.set(id, 'alone');
  };
  const claim = createBatcher<string, Taken>({
    maxBatch: 200,
    concurrency: 2,
    maxQueued: 5_000,
    flush: async (ids) => {
      const known = versions.latest(KNOWN_VERSIONS);
      const { answers, unanswered } = await claimUntilAnswered({
        ids: [...new Set(ids)],
        alone: false,
        knownVersionIds: [...known.keys()],
      });
      const became = new Map<string, Taken>(unanswered.map((id) => [id, 'later']));
      const started = new Set<string>();
      for (const answer of answers) {
        startAll(answer, known, became);
        for (const { executionId } of answer.outcome.claimed) started.add(executionId);
      }
      // Each id had a slot taken for it; that of a run is released at its end, and one id may have been here twice.
      for (const id of ids) if (!started.delete(id)) slots.release();
      return ids.map((id) => became.get(id) ?? 'settled');
    },
  });

  /** Claims ids as slots become free; ids that find none in time are left to others. */
  const claimInSlots = async (ids: readonly string[]): Promise<readonly Taken[]> => {
    const end = environment.clock() + KEEP_MS;
    const claims: Promise<Taken>[] = [];
    for (let at = 0; at < ids.length;) {
      const count = slots.takeFree(ids.length - at);
      claims.push(...ids.slice(at, at + count).map(claim));
      at += count;
      if (at < ids.length && !(await slots.freeWithin(end - environment.clock()))) break;
    }
    return Promise.all([...claims, ...ids.slice(claims.length).map(() => Promise.resolve<Taken>('later'))]);
  };
  return {
    take: async (ids) => {
      try {
        const taken = await claimInSlots(ids);
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
      await track(run(claimed, workflow, hold, leaseMs), slots.release);
      return true;
    },
    whenIdle: async () => {
      while (running.size + claiming.size > 0) await Promise.all([...running, ...claiming]);
    },
  };
};
