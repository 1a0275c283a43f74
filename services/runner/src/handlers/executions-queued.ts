import { gather } from '@weft/service-kit/batching';
import { ServiceError } from '@weft/service-kit/errors';
import { uuidv7 } from '@weft/service-kit/ids';
import type { Logger } from '@weft/service-kit/logging';
import { readDefinition } from '@weft/node-catalogue';
import type { ClaimedExecution, WorkflowVersion } from '../domain/claimed-execution';
import type { PreparedCache } from '../domain/engine/prepared-cache';
import type { ExecutionStore } from '../domain/execution-store';
import type { Held, HeldExecutions } from '../domain/held-executions';
import { runExecution, type RunEnvironment, type RunResult } from '../domain/run-execution';
import { shareSlot } from '../domain/share-slot';
import type { Slots } from '../domain/slots';
import { createStartChild, type SubWorkflowParts } from '../domain/sub-workflows';
import type { TakeIds } from '../messaging/pull-work';

/** Most versions named as known in one claim. */
const KNOWN_VERSIONS = 100;
const decoder = new TextDecoder();

/** What takes messages off the queue. */
export interface QueuedExecutions {
  readonly take: TakeIds;
  /** Resolves when nothing runs any more. */
  readonly whenIdle: () => Promise<void>;
}

/** Parts that the handler works with. */
export interface QueuedExecutionsParts {
  readonly store: ExecutionStore;
  readonly held: HeldExecutions;
  readonly slots: Slots;
  readonly versions: PreparedCache;
  readonly environment: RunEnvironment;
  readonly logger: Logger;
}

/** Ids that were announced are claimed together and run at once. What another runner has is refused, and that is all right. */
export const createQueuedExecutions = ({ store, held, slots, versions, environment, logger }: QueuedExecutionsParts): QueuedExecutions => {
  const running = new Set<Promise<RunResult>>();

  const prepare = (version: WorkflowVersion): void => {
    versions.add(version.versionId, readDefinition(JSON.parse(decoder.decode(version.definitionJson))));
  };
  const knownVersionIds = (): readonly string[] => versions.versionIds().slice(-KNOWN_VERSIONS);
  const run = async (claimed: ClaimedExecution, claim: Held, leaseMs: number): Promise<RunResult> => {
    try {
      const workflow = versions.get(claimed.versionId);
      if (workflow === undefined) throw new Error(`The definition of version ${claimed.versionId} did not come with the claim.`);
      const runChild: SubWorkflowParts['runChild'] = (child, version, caller) => startChild(child, version, caller, leaseMs);
      return await runExecution(claimed, workflow, claim, environment, (reach) => createStartChild({ store, knownVersionIds, runChild }, { claimed, held: claim, reach }));
    } catch (error) {
      logger.warn({ err: error, executionId: claimed.executionId }, 'a run could not be brought to an end here; it is taken up again when its lease has run out');
      return { kind: 'elsewhere' };
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
  const start = (claimed: ClaimedExecution, leaseMs: number): void => {
    slots.take();
    void track(run(claimed, held.hold(claimed.executionId, claimed.fence, leaseMs), leaseMs), slots.give);
  };
  const startChild = (child: ClaimedExecution, version: WorkflowVersion | undefined, caller: Held, leaseMs: number): Promise<RunResult> => {
    if (version !== undefined) prepare(version);
    const claim = held.hold(child.executionId, child.fence, leaseMs);
    return track(run(child, claim, leaseMs), shareSlot(caller, claim, slots));
  };
  const claim = gather<string, true>({
    maxBatch: 200,
    concurrency: 2,
    maxQueued: 5_000,
    flush: async (ids) => {
      const outcome = await store.claim([...new Set(ids)], uuidv7(), knownVersionIds());
      outcome.versions.forEach(prepare);
      for (const claimed of outcome.claimed) start(claimed, outcome.leaseMs);
      return ids.map(() => true as const);
    },
  });
  return {
    take: async (ids) => {
      try {
        await Promise.all(ids.map(claim));
        return true;
      } catch (error) {
        logger.warn({ reason: error instanceof ServiceError ? error.reason : undefined, err: error }, 'claiming failed');
        return false;
      }
    },
    whenIdle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
