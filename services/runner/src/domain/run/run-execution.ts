import {
  EngineStateUnknown,
  errorRecordOf,
  type FinishedRun,
  type NodePorts,
  type PreparedWorkflow,
  type RunData,
  type RunDeps,
  type RunOutcome,
  type RunRequest,
  runWorkflow,
  type StopReason,
} from '@weft/engine';
import { SHORT_BYTES } from '@weft/service-kit/json';
import { acquireSlot, evaluateKey } from '../claims/shares/acquire-slot';
import { withCaller } from '../claims/caller';
import type { ClaimedExecution } from '../claims/claimed-execution';
import { RunError } from '../claims/held/execution-store';
import type { Held } from '../claims/held/held-executions';
import type { Reach } from '../claims/shares/reach';
import { PARSED_FACTOR } from '../memory/memory-budget';
import { endWithError } from '../end/end-with-error';
import { releaseUnchanged } from '../end/hand-over';
import { itemsForCaller, resultOf, type RunResult } from '../end/run-result';
import { endRefused, isRefusedWrite, releaseFromCheckpoint, endRun } from '../end/end-run';
import { isEmptyStart } from './empty-start';
import type { RunEnvironment } from './environment';
import type { InProcessWaits } from './in-process-waits';
import { hasStoredData, loadClaimed, type LoadedRun } from './load-claimed';
import { closeRun, openRun, type Run } from './open-run';
import { readInput, readResumption } from './run-input';
import { runSegments, type RunSegment } from './run-segments';

/** Delay before a run with an unknown state version is claimed again, preferably by another runner. */
const UNKNOWN_STATE_DELAY_MS = 10_000;

const SUSPENDED: RunResult = { kind: 'suspended' };

const stopReasonOf = (held: Held, isDraining: boolean): StopReason | undefined => {
  if (!held.signal.aborted) return isDraining ? 'drain' : undefined;
  if (held.signal.reason === 'drain' || held.signal.reason === 'release') return held.signal.reason;
  return held.signal.reason === 'cancelled' ? 'cancel' : 'lost';
};

const requestOf = (
  claimed: ClaimedExecution,
  workflow: PreparedWorkflow,
  held: Held,
  { state, records, resume }: RunSegment,
): RunRequest => ({
  workflow,
  workflowId: claimed.workflowId,
  workflowActive: (claimed.retriedMode ?? claimed.mode) !== 'manual',
  executionId: claimed.executionId,
  mode: claimed.retriedMode ?? claimed.mode,
  input: readInput(claimed.input),
  state,
  records,
  usePinData: claimed.usePinData,
  signal: held.signal,
  ...(resume === undefined ? {} : { resume }),
});

/** A run that is ready for its first node. */
interface Prepared extends LoadedRun {
  readonly deps: RunDeps;
}

const isGivenBack = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && (reason === 'release' || reason === 'drain');

const load = async ({ claim, held, memory, reach, environment, thread }: Run): Promise<LoadedRun> => {
  if (hasStoredData(claim)) await memory.makeRoomToLoad(held.signal, () => held.abort('release'));
  const loaded = await loadClaimed(claim, reach, environment.store, thread);
  memory.hold(loaded.bytes * PARSED_FACTOR);
  return loaded;
};

const prepare = async (run: Run): Promise<Prepared> => {
  const { claim, workflow, environment, ports, ways, thread } = run;
  return {
    ...(await load(run)),
    deps: { ...(await environment.deps(claim, workflow, ports, ways)), thread },
  };
};

/** False: the run waits until another one of its concurrency key has ended. */
const hasPlace = (
  { workflow, held, reach, thread, environment: { store } }: Run,
  { claimed, state, records, deps }: Prepared,
): Promise<boolean> => {
  const key = (): string =>
    thread.within(() =>
      evaluateKey(
        claimed.concurrencyKey ?? '',
        requestOf(claimed, workflow, held, { state, records }),
        workflow,
        claimed.startNode,
        deps,
      ),
    );
  return acquireSlot(claimed, key, reach, store);
};

/** Asked before each node. */
const stopRequested = ({ held, memory, environment, beginNode }: Run): StopReason | undefined => {
  beginNode();
  const reason = memory.reasonToGo();
  if (reason !== undefined) held.abort(reason);
  return stopReasonOf(held, environment.isDraining());
};

const runSegment = (run: Run, { claimed, deps }: Prepared, segment: RunSegment): Promise<FinishedRun> => {
  const { workflow, held, environment, checkpoints, thread } = run;
  const { live } = held;
  thread.mark();
  return runWorkflow(requestOf(claimed, workflow, held, segment), deps, {
    onNodeStart: (node, number) => live.began(node, number),
    onNodeRun: (event) => {
      live.ended();
      const { executionStatus, executionTime } = event.record;
      environment.onNodeRun?.(workflow.nodes.get(event.node)?.kind, executionStatus, executionTime);
      return checkpoints.onNodeRun(event);
    },
    stopRequested: () => stopRequested(run),
  });
};

type Waits = Pick<InProcessWaits, 'sleep'>;

/** Waits of a run in this process, reported by heartbeats and shown to its followers. */
const reportedWaits = ({ sleep }: Waits, { live, whileWaiting }: Held): Waits => ({
  sleep: (at, signal, save) =>
    whileWaiting(async () => {
      live.waits(at);
      try {
        return await sleep(at, signal, save);
      } finally {
        live.waits(undefined);
      }
    }),
});

/** Runs the nodes until the run has ended, pauses for long, or is aborted. */
const runNodes = async (run: Run, prepared: Prepared): Promise<FinishedRun> => {
  const { held, environment, checkpoints, answer, thread } = run;
  const { claimed, records } = prepared;
  const resume = readResumption(claimed.resume);
  const state = withCaller(prepared.state, resume);
  answer.follow(state, claimed.input);
  if (claimed.input.length > SHORT_BYTES) await thread.takeTurn();
  const finished = await runSegments(
    { state, records, ...(resume === undefined ? {} : { resume }) },
    {
      runOnce: (segment) => runSegment(run, prepared, segment),
      inProcessWaits: reportedWaits(environment.inProcessWaits, held),
      signal: held.signal,
      save: checkpoints.save,
    },
  );
  await checkpoints.halt();
  return finished;
};

const endFinished = async (
  { workflow, answer, halted, thread }: Run,
  { claimed }: Prepared,
  finished: FinishedRun,
): Promise<RunResult> => {
  thread.mark();
  const isDiscarded = isEmptyStart(claimed, workflow, finished.records);
  const result = itemsForCaller(claimed, finished, workflow);
  const ended = { ...halted, isDiscarded, ...(result === undefined ? {} : { result }) };
  return resultOf(await endRun(ended, finished.outcome, answer.at(finished)), result);
};

/** Ends or releases a run that failed outside of any node. */
const endThrown = async (run: Run, thrown: unknown, records: RunData): Promise<RunResult> => {
  const { claim, held, environment, checkpoints, answer, halted } = run;
  const { store } = environment;
  await checkpoints.halt().catch(() => undefined);
  if (isGivenBack(held.signal)) {
    await releaseFromCheckpoint(halted);
    return SUSPENDED;
  }
  if (held.signal.aborted) return SUSPENDED;
  // An older replica assigned it: a runner of the release that wrote the state continues it.
  if (thrown instanceof EngineStateUnknown)
    return releaseUnchanged(claim, held, store, { delayMs: UNKNOWN_STATE_DELAY_MS });
  answer.followStart();
  if (thrown instanceof RunError)
    return endWithError(claim, checkpoints.unsaved(), held, thrown, store, answer.ofFailure());
  if (isRefusedWrite(thrown)) return resultOf(await endRefused(halted, thrown, undefined));
  const outcome: RunOutcome = {
    kind: 'error',
    error: errorRecordOf(thrown, { name: '', type: '' }),
    lastNode: undefined,
  };
  return resultOf(await endRun(halted, outcome, answer.at({ outcome, records })));
};

const carryOut = async (run: Run): Promise<RunResult> => {
  let prepared: Prepared | undefined;
  let finished: FinishedRun;
  try {
    prepared = await prepare(run);
    if (!(await hasPlace(run, prepared))) return SUSPENDED;
    finished = await runNodes(run, prepared);
  } catch (thrown) {
    return endThrown(run, thrown, prepared?.records ?? new Map());
  }
  return endFinished(run, prepared, finished);
};

/**
 * Runs a claimed execution until it ends, pauses or is aborted, and reports the result to the service. An error of the
 * engine ends the execution as failed, since it would fail on every other runner; so does a write that the service
 * refuses. If a service is unavailable for long, the run is released.
 * @throws ServiceError if the report failed; the execution is claimed again when its lease has expired.
 */
export const runExecution = async (
  claim: ClaimedExecution,
  workflow: PreparedWorkflow,
  held: Held,
  environment: RunEnvironment,
  callerOf: (reach: Reach) => NodePorts['startChild'],
): Promise<RunResult> => {
  const run = openRun(claim, workflow, held, environment, callerOf);
  try {
    return await carryOut(run);
  } finally {
    await closeRun(run);
  }
};
