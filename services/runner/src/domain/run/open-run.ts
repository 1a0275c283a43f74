import type { NodePorts, PreparedWorkflow, RunThread } from '@weft/engine';
import { ownerKeyOf, type ClaimedExecution, type WriteOutcome } from '../claims/claimed-execution';
import type { Held } from '../claims/held/held-executions';
import { createReach, watchOutside, type Reach } from '../claims/shares/reach';
import { PARSED_FACTOR, type RunAccount } from '../memory/memory-budget';
import { createBarrier, type Barrier } from '../end/barrier';
import { type Checkpoints, createCheckpoints } from '../end/checkpoints';
import { type HaltedClaim, releaseFromCheckpoint } from '../end/end-run';
import { type CallerAnswer, createCallerAnswer } from './caller-answer';
import type { RunEnvironment, RunPorts, RunWays } from './environment';

/** A claimed execution that runs here, with the objects its steps share. */
export interface Run {
  readonly claim: ClaimedExecution;
  readonly workflow: PreparedWorkflow;
  readonly held: Held;
  readonly environment: RunEnvironment;
  readonly reach: Reach;
  readonly memory: RunAccount;
  readonly checkpoints: Checkpoints;
  readonly thread: RunThread;
  readonly answer: CallerAnswer;
  readonly ports: RunPorts;
  readonly ways: RunWays;
  /** Resets per-node state. */
  readonly beginNode: () => void;
  /** Dependencies of writing the run when it halts. */
  readonly halted: HaltedClaim;
}

/** Whether the current node may have had external side effects. */
interface NodeUse {
  hasUsedPorts: boolean;
}

const barrierOf = (
  claim: ClaimedExecution,
  held: Held,
  { store, isStored = () => true }: Pick<RunEnvironment, 'store' | 'isStored'>,
  reach: Reach,
  { flush }: Pick<Checkpoints, 'flush'>,
): Barrier => {
  const persist = (): Promise<WriteOutcome> => reach(() => store.persist(claim));
  return createBarrier({ isStored, persist, flush, held });
};

/** Opens a run. The caller closes it. */
export const openRun = (
  claim: ClaimedExecution,
  workflow: PreparedWorkflow,
  held: Held,
  environment: RunEnvironment,
  callerOf: (reach: Reach) => NodePorts['startChild'],
): Run => {
  const { store, clock, releaseAfterMs } = environment;
  const node: NodeUse = { hasUsedPorts: false };
  const ownerKey = ownerKeyOf(claim);
  const memory = environment.memory.open(ownerKey);
  const outside = watchOutside();
  const reach = createReach(held, outside, releaseAfterMs, clock);
  const checkpoints = createCheckpoints(store, held, claim.checkpoint, clock, (bytes) =>
    memory.hold(bytes * PARSED_FACTOR),
  );
  held.live.open(() => checkpoints.unsaved().nodeRuns);
  const pass = barrierOf(claim, held, environment, reach, checkpoints);
  const barrier: Barrier = () => {
    node.hasUsedPorts = true;
    return pass();
  };
  const answer = createCallerAnswer(claim, workflow, (response, tokenHash) => {
    node.hasUsedPorts = true;
    return reach(() => store.respond(claim, response, tokenHash));
  });
  const thread = environment.openThread({
    executionId: claim.executionId,
    versionId: claim.versionId,
    ownerKey,
    workflowId: claim.workflowId,
    signal: held.signal,
    onActive: held.isActive,
    // A node without side effects is restarted elsewhere; any other is awaited.
    onTooLong: () => {
      if (!node.hasUsedPorts && !held.signal.aborted) held.abort('drain');
    },
  });
  return {
    claim,
    workflow,
    held,
    environment,
    reach,
    memory,
    checkpoints,
    thread,
    answer,
    ports: { respond: answer.respond, startChild: callerOf(reach) },
    ways: { reach, outside, memory, barrier, whileWaiting: held.whileWaiting, onResponse: () => thread.mark() },
    beginNode: () => {
      outside.begin();
      node.hasUsedPorts = false;
      memory.begin();
    },
    halted: { claimed: claim, held, checkpoints, store, errorAnswer: answer.ofFailure },
  };
};

/**
 * Drops a run. A replica that does not know an inline run reports it as lost; the run may be stored a moment later, and
 * a heartbeat in flight can then make this claim count. Releasing it avoids an increased crash count. One attempt is
 * enough: otherwise the lease expires.
 */
export const closeRun = async ({ memory, thread, held, environment, halted }: Run): Promise<void> => {
  memory.close();
  thread.close();
  const isStored = environment.isStored?.() ?? true;
  if (!isStored && held.signal.reason === 'lost') await releaseFromCheckpoint(halted).catch(() => undefined);
};
