import type { WebhookSettings } from '@weft/node-catalogue';
import { callerSettings, withCaller } from './caller';
import { createCheckpoints, type Checkpoints } from './checkpoints';
import type { ClaimedExecution, Verdict } from './claimed-execution';
import { decodeState, encodeState, initialState, type EngineState } from './engine/engine-state';
import { errorRecordOf } from './engine/node-failure';
import type { Item } from './engine/items';
import type { HttpAnswer, NodePorts } from './engine/ports';
import type { PreparedWorkflow } from './engine/prepare-workflow';
import type { RunOutcome, RunRequest, RunSurroundings, StopReason } from './engine/run-request';
import type { RunData } from './engine/run-record';
import { runWorkflow, type FinishedRun } from './engine/run-workflow';
import type { ExecutionStore, RunEnd } from './execution-store';
import type { Held } from './held-executions';
import { pauseOf } from './pause-run';
import { retryWhileHeld } from './retry-while-held';
import { asRetried } from './retried-state';
import { readInput, readRecords, readResumption } from './run-input';
import { runToRest, type Leg } from './run-to-rest';
import type { Sleepers } from './sleepers';
import { answerAtEnd, answerAtPause, type RestingRun } from './webhook-answer';

/** Ports of nodes that belong to one run. */
export type RunLinks = Pick<NodePorts, 'respond' | 'startChild'>;

/** What came of a run here. `elsewhere`: it pauses, goes on elsewhere, or was taken away. */
export type RunResult =
  | { readonly kind: 'success'; /** What its last node gave on its first output. */ readonly items: readonly Item[] }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'elsewhere' };

/** What a run needs from its process. */
export interface RunEnvironment {
  readonly store: ExecutionStore;
  /** What nodes of this run can see and reach. @throws ServiceError if a service cannot tell it now, or the claim is lost. */
  readonly surroundings: (claimed: ClaimedExecution, workflow: PreparedWorkflow, links: RunLinks) => Promise<RunSurroundings>;
  readonly isDraining: () => boolean;
  /** Lets runs wait here for a short while. */
  readonly sleepers: Sleepers;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

const stopReasonOf = (held: Held, isDraining: boolean): StopReason | undefined => {
  if (!held.signal.aborted) return isDraining ? 'drain' : undefined;
  if (held.signal.reason === 'drain') return 'drain';
  return held.signal.reason === 'cancelled' ? 'cancel' : 'lost';
};

const stateOf = ({ engineState, checkpoint, startNode }: ClaimedExecution): EngineState => {
  if (engineState.length === 0) return initialState(startNode);
  const state = decodeState(engineState);
  return checkpoint === 0 ? asRetried(state) : state;
};

/** Where the failed node would run again, if the failure is a node's. */
const retryFromOf = ({ state }: Extract<RunOutcome, { kind: 'error' }>): Pick<RunEnd, 'retryFrom'> =>
  state === undefined ? {} : { retryFrom: { engineState: encodeState(state), nodeRuns: state.executionIndex } };

/** Writes what came of the run, and answers what became of its end if it has ended. Writes nothing for a run that was taken away: its results belong to nobody. */
const settle = async (claimed: ClaimedExecution, held: Held, outcome: RunOutcome, checkpoints: Checkpoints, answer: HttpAnswer | undefined, store: ExecutionStore): Promise<Verdict | undefined> => {
  const fenced = { executionId: claimed.executionId, fence: claimed.fence, ...checkpoints.unsaved() };
  const write = (send: () => Promise<Verdict>): Promise<Verdict> => retryWhileHeld(send, held.signal);
  switch (outcome.kind) {
    case 'success':
      return write(() => store.report({ ...fenced, lastNode: outcome.lastNode ?? '', ...(answer === undefined ? {} : { answer }) }));
    case 'error':
      return write(() => store.report({ ...fenced, lastNode: outcome.lastNode ?? '', failure: outcome.error, ...retryFromOf(outcome), ...(answer === undefined ? {} : { answer }) }));
    case 'waiting':
      await write(() => store.pause({ ...fenced, ...pauseOf(outcome.await, outcome.state), lastNode: outcome.node, ...(answer === undefined ? {} : { answer }) }));
      return undefined;
    case 'stopped':
      if (outcome.reason === 'drain') await write(() => store.handBack({ ...fenced, engineState: encodeState(outcome.state) }));
      return undefined;
  }
};

const requestOf = (claimed: ClaimedExecution, workflow: PreparedWorkflow, held: Held, { state, records, resumed }: Leg): RunRequest => ({
  workflow,
  workflowId: claimed.workflowId,
  workflowActive: (claimed.retriedMode ?? claimed.mode) !== 'manual',
  executionId: claimed.executionId,
  mode: claimed.retriedMode ?? claimed.mode,
  input: readInput(claimed.inputJson),
  state,
  records,
  usePinData: !claimed.ignorePinData,
  signal: held.signal,
  ...(resumed === undefined ? {} : { resumed }),
});

/** What the caller of the run gets. An end that the service did not take is not the end: whoever has the run now tells it. */
const resultOf = (outcome: RunOutcome, records: RunData, verdict: Verdict | undefined): RunResult => {
  if (verdict === undefined || verdict === 'stale') return { kind: 'elsewhere' };
  if (outcome.kind === 'error') return { kind: 'error', message: outcome.error.message };
  const last = outcome.kind === 'success' && outcome.lastNode !== undefined ? records.get(outcome.lastNode)?.at(-1) : undefined;
  return { kind: 'success', items: last?.data?.main[0] ?? [] };
};

/** The answer for whoever waits, and was not answered by a node: by the rules of a webhook, else by what the wait itself says. */
const answerOf = (rest: RestingRun, settings: WebhookSettings | undefined, now: number): HttpAnswer | undefined => {
  if (settings !== undefined) return answerAtEnd(rest, settings) ?? answerAtPause(rest, settings, now);
  return rest.outcome.kind === 'waiting' && rest.outcome.await.kind === 'webhook' ? rest.outcome.await.announce : undefined;
};

/**
 * Runs a claimed execution to its end, its next pause, or until it is taken away, and tells the service.
 * A fault of the engine itself ends the execution as failed: it would fail again on every other runner.
 * @throws ServiceError if the service could not be told; the execution is taken up again when its lease has run out.
 */
export const runExecution = async (claimed: ClaimedExecution, workflow: PreparedWorkflow, held: Held, environment: RunEnvironment, startChild: NodePorts['startChild']): Promise<RunResult> => {
  const { store } = environment;
  const checkpoints = createCheckpoints(store, held, claimed.checkpoint, environment.clock);
  let responded = claimed.responded;
  const respond = async (answer: HttpAnswer, tokenHash?: string): Promise<boolean> => {
    const verdict = await retryWhileHeld(() => store.respond(claimed, answer, tokenHash), held.signal);
    responded = true;
    return verdict === 'accepted';
  };
  const records: RunData = claimed.engineState.length === 0 ? new Map() : readRecords(await retryWhileHeld(() => store.readNodeRuns(claimed), held.signal));
  const surroundings = await retryWhileHeld(() => environment.surroundings(claimed, workflow, { respond, startChild }), held.signal);
  const runOnce = (leg: Leg): Promise<FinishedRun> =>
    runWorkflow(requestOf(claimed, workflow, held, leg), surroundings, { onNodeRun: checkpoints.onNodeRun, stopRequested: () => stopReasonOf(held, environment.isDraining()) });
  let settings: WebhookSettings | undefined;
  const run = async (): Promise<FinishedRun> => {
    const resumed = readResumption(claimed.resumeJson);
    const state = withCaller(stateOf(claimed), resumed);
    settings = callerSettings(claimed, workflow, state);
    return runToRest({ state, records, ...(resumed === undefined ? {} : { resumed }) }, { runOnce, sleepers: environment.sleepers, signal: held.signal, keep: checkpoints.keep });
  };
  const { outcome, records: after } = await run().catch((fault: unknown): FinishedRun => {
    const outcome: RunOutcome = held.signal.aborted
      ? { kind: 'stopped', reason: 'lost', state: initialState(claimed.startNode) }
      : { kind: 'error', error: errorRecordOf(fault, { name: '', type: '' }), lastNode: undefined };
    return { outcome, records };
  });
  const rest = { outcome, records: after };
  const answer = responded ? undefined : answerOf(rest, settings, surroundings.ports.clock.now());
  return resultOf(outcome, after, await settle(claimed, held, outcome, checkpoints, answer, store));
};
