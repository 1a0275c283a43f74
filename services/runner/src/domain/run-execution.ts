import { createHash } from 'node:crypto';
import { createCheckpoints, type Checkpoints } from './checkpoints';
import type { ClaimedExecution } from './claimed-execution';
import { decodeState, encodeState, initialState, type EngineState } from './engine/engine-state';
import { errorRecordOf } from './engine/node-failure';
import type { HttpAnswer } from './engine/ports';
import type { PreparedWorkflow } from './engine/prepare-workflow';
import type { RunOutcome, RunSurroundings, StopReason } from './engine/run-request';
import type { RunData } from './engine/run-record';
import { runWorkflow, type FinishedRun } from './engine/run-workflow';
import type { ExecutionStore } from './execution-store';
import type { Held } from './held-executions';
import { retryWhileHeld } from './retry-while-held';
import { readInput, readRecords, readResumption } from './run-input';
import { answerAtEnd } from './webhook-answer';

/** What a run needs from its process. */
export interface RunEnvironment {
  readonly store: ExecutionStore;
  /** What nodes of this run can see and reach. `respond` stores an answer for the caller. */
  readonly surroundings: (claimed: ClaimedExecution, respond: (answer: HttpAnswer) => Promise<boolean>) => RunSurroundings;
  readonly isDraining: () => boolean;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

const stopReasonOf = (held: Held, isDraining: boolean): StopReason | undefined => {
  if (!held.signal.aborted) return isDraining ? 'drain' : undefined;
  if (held.signal.reason === 'drain') return 'drain';
  return held.signal.reason === 'cancelled' ? 'cancel' : 'lost';
};

const stateOf = (claimed: ClaimedExecution): EngineState =>
  claimed.engineState.length === 0 ? initialState(claimed.startNode) : decodeState(claimed.engineState);

/** Writes what came of the run. Writes nothing for a run that was taken away: its results belong to nobody. */
const settle = async (claimed: ClaimedExecution, held: Held, outcome: RunOutcome, checkpoints: Checkpoints, answer: HttpAnswer | undefined, store: ExecutionStore): Promise<void> => {
  const fenced = { executionId: claimed.executionId, fence: claimed.fence, ...checkpoints.unsaved() };
  const write = (send: () => Promise<unknown>): Promise<unknown> => retryWhileHeld(send, held.signal);
  switch (outcome.kind) {
    case 'success':
      await write(() => store.report({ ...fenced, lastNode: outcome.lastNode ?? '', ...(answer === undefined ? {} : { answer }) }));
      return;
    case 'error':
      await write(() => store.report({ ...fenced, lastNode: outcome.lastNode ?? '', failure: outcome.error, ...(answer === undefined ? {} : { answer }) }));
      return;
    case 'waiting': {
      const { await: wish, state, node } = outcome;
      const pause = { ...fenced, engineState: encodeState(state), lastNode: node };
      if (wish.kind === 'timer') await write(() => store.pause({ ...pause, resumeAt: new Date(wish.at) }));
      else if (wish.kind === 'child') await write(() => store.pause({ ...pause, childExecutionId: wish.executionId }));
      else {
        const resumeTokenHash = createHash('sha256').update(`${claimed.executionId}/${wish.suffix}`).digest('hex');
        await write(() => store.pause({ ...pause, resumeTokenHash, ...(wish.at === undefined ? {} : { resumeAt: new Date(wish.at) }) }));
      }
      return;
    }
    case 'stopped':
      if (outcome.reason === 'drain') await write(() => store.handBack({ ...fenced, engineState: encodeState(outcome.state) }));
  }
};

/**
 * Runs a claimed execution to its end, its next pause, or until it is taken away, and tells the service.
 * A fault of the engine itself ends the execution as failed: it would fail again on every other runner.
 * @throws ServiceError if the service could not be told; the execution is taken up again when its lease has run out.
 */
export const runExecution = async (claimed: ClaimedExecution, workflow: PreparedWorkflow, held: Held, environment: RunEnvironment): Promise<void> => {
  const { store } = environment;
  const checkpoints = createCheckpoints(store, held, claimed.checkpoint, environment.clock);
  let responded = claimed.responded;
  const respond = async (answer: HttpAnswer): Promise<boolean> => {
    const verdict = await retryWhileHeld(() => store.respond(claimed, answer), held.signal);
    responded = true;
    return verdict === 'accepted';
  };
  const records: RunData = claimed.checkpoint === 0 ? new Map() : readRecords(await retryWhileHeld(() => store.readNodeRuns(claimed), held.signal));
  const run = async (): Promise<FinishedRun> => {
    const resumed = readResumption(claimed.resumeJson);
    return runWorkflow(
      {
        workflow,
        workflowId: claimed.workflowId,
        workflowActive: claimed.mode !== 'manual',
        executionId: claimed.executionId,
        mode: claimed.mode,
        input: readInput(claimed.inputJson),
        state: stateOf(claimed),
        records,
        usePinData: !claimed.ignorePinData,
        signal: held.signal,
        ...(resumed === undefined ? {} : { resumed }),
      },
      environment.surroundings(claimed, respond),
      { onNodeRun: checkpoints.onNodeRun, stopRequested: () => stopReasonOf(held, environment.isDraining()) },
    );
  };
  const { outcome, records: after } = await run().catch((fault: unknown): FinishedRun => {
    const outcome: RunOutcome = held.signal.aborted
      ? { kind: 'stopped', reason: 'lost', state: initialState(claimed.startNode) }
      : { kind: 'error', error: errorRecordOf(fault, { name: '', type: '' }), lastNode: undefined };
    return { outcome, records };
  });
  const answer = responded || claimed.mode !== 'webhook' ? undefined : answerAtEnd({ workflow, startNode: claimed.startNode, outcome, records: after });
  await settle(claimed, held, outcome, checkpoints, answer, store);
};
