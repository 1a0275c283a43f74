import type { WebhookResponse } from '@weft/nodes/descriptors';
import { createBarrier, type Barrier } from '../settle/barrier';
import { callerSettings, withCaller } from '../claims/caller';
import { createCheckpoints } from '../settle/checkpoints';
import { ownerKeyOf, type ClaimedExecution, type WriteOutcome } from '../claims/claimed-execution';
import {
  EngineStateUnknown,
  errorRecordOf,
  type FinishedRun,
  type HttpResponse,
  initialState,
  type NodePorts,
  type PreparedWorkflow,
  type RunData,
  type RunDeps,
  type RunOutcome,
  type RunRequest,
  RunThread,
  runWorkflow,
  type StopReason,
} from '@weft/engine';
import { SHORT_BYTES } from '@weft/service-kit/json';
import { endWithError } from '../settle/end-with-error';
import { type ExecutionStore, RunError } from '../claims/execution-store';
import type { Held } from '../claims/held-executions';
import { isEmptyStart } from './empty-start';
import { releaseUnchanged } from '../settle/hand-over';
import { hasStoredData, loadClaimed, type LoadedRun } from './load-claimed';
import { createReach, watchOutside, type Outside, type Reach } from '../claims/reach';
import { PARSED_FACTOR, type MemoryBudget, type RunAccount } from '../memory/memory-budget';
import { readInput, readResumption } from './run-input';
import { runSegments, type RunSegment } from './run-segments';
import {
  checkAnswer,
  endRefused,
  isRefusedWrite,
  releaseFromCheckpoint,
  settleRun,
  type SettledRun,
} from '../settle/settle-run';
import type { InProcessWaits } from './in-process-waits';
import { evaluateKey, acquireSlot } from '../claims/acquire-slot';
import { itemsForCaller, resultOf, type RunResult } from '../settle/run-result';
import { answerOf, type HaltedRun } from '../settle/webhook-answer';

/** Ports of nodes that belong to one run. */
export type RunPorts = Pick<NodePorts, 'respond' | 'startChild'>;

/** Access of a run to services and the outside. */
export interface RunWays {
  readonly reach: Reach;
  readonly outside: Outside;
  readonly memory: RunAccount;
  readonly barrier: Barrier;
}

/** Dependencies of a run that its process provides. */
export interface RunEnvironment {
  /** Told of every node run: its kind, if the catalogue has it, and its time in milliseconds. */
  readonly onNodeRun?: (kind: string | undefined, status: 'success' | 'error', ms: number) => void;
  readonly store: ExecutionStore;
  /** True once the execution is known to be durable. Absent: it was before it ran. */
  readonly isStored?: () => boolean;
  /**
   * Dependencies of the nodes of this run.
   * @throws ServiceError if a service cannot answer now, or the claim is lost.
   */
  readonly deps: (
    claimed: ClaimedExecution,
    workflow: PreparedWorkflow,
    ports: RunPorts,
    ways: RunWays,
  ) => Promise<RunDeps>;
  /** Milliseconds for which calls of services that cannot be reached are repeated before a run is released. */
  readonly releaseAfterMs: number;
  readonly isDraining: () => boolean;
  readonly memory: MemoryBudget;
  /** Lets runs wait here for a short while. */
  readonly inProcessWaits: InProcessWaits;
  /** Milliseconds that only grow. */
  readonly clock: () => number;
}

/** Before a run whose state has an unknown version is claimed again, by another runner if there is one. */
const UNKNOWN_STATE_DELAY_MS = 10_000;

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

/**
 * Runs a claimed execution to its end, its next pause, or until it is taken away, and reports it to the service.
 * An error of the engine itself ends the execution as failed: it would fail again on every other runner. So does what
 * the service refuses to store. What cannot be reached for long releases the run.
 * @throws ServiceError if the report failed; the execution is taken up again when its lease has run out.
 */
export const runExecution = async (
  claim: ClaimedExecution,
  workflow: PreparedWorkflow,
  held: Held,
  environment: RunEnvironment,
  callerOf: (reach: Reach) => NodePorts['startChild'],
): Promise<RunResult> => {
  const { store, clock, releaseAfterMs } = environment;
  const outside = watchOutside();
  const ownerKey = ownerKeyOf(claim);
  const memory = environment.memory.open(ownerKey);
  const reach = createReach(held, outside, releaseAfterMs, clock);
  const checkpoints = createCheckpoints(store, held, claim.checkpoint, clock, (bytes) =>
    memory.hold(bytes * PARSED_FACTOR),
  );
  const isStored = environment.isStored ?? (() => true);
  const persist = (): Promise<WriteOutcome> => reach(() => store.persist(claim));
  /** What the node that runs now did may count outside of the run, whoever may have seen it. */
  let hasUsedPorts = false;
  const pass = createBarrier({ isStored, persist, flush: checkpoints.flush, held });
  const barrier: Barrier = () => {
    hasUsedPorts = true;
    return pass();
  };
  const ways = { reach, outside, memory, barrier };
  /** A node that has done nothing but work is begun again elsewhere; any other is waited for. */
  const onTurn = (threadMs: number): void => {
    if (memory.hadThread(threadMs) && !hasUsedPorts && !held.signal.aborted) held.abort('drain');
  };
  let responded = claim.responded;
  let settings: WebhookResponse | undefined;
  const respond = async (answer: HttpResponse, tokenHash?: string): Promise<boolean> => {
    checkAnswer(answer);
    hasUsedPorts = true;
    const written = await reach(() => store.respond(claim, answer, tokenHash));
    responded = true;
    return written === 'applied';
  };
  const answerFor = (run: HaltedRun): HttpResponse | undefined =>
    responded ? undefined : answerOf(run, settings, Date.now());
  const errorAnswer = (): HttpResponse | undefined =>
    answerFor({
      outcome: { kind: 'error', error: { name: '', message: '' }, lastNode: undefined },
      records: new Map(),
    });
  const halted = { claimed: claim, held, checkpoints, store, errorAnswer };
  /**
   * A replica that knows nothing of a run that began elsewhere says that it is lost; it may be stored a moment later,
   * and a heartbeat under way can make this claim count then. Released, it costs no crash point. One attempt is enough:
   * without it, the lease ends.
   */
  const releaseUnknown = async (): Promise<void> => {
    if (!isStored() && held.signal.reason === 'lost') await releaseFromCheckpoint(halted).catch(() => undefined);
  };

  const { workflowId } = claim;
  const thread = new RunThread({ ownerKey, workflowId, signal: held.signal, onTurn, restMs: memory.restMs });
  const load = async (): Promise<LoadedRun> => {
    if (hasStoredData(claim)) await memory.makeRoomToLoad(held.signal, () => held.abort('release'));
    const loaded = await loadClaimed(claim, reach, store, thread);
    memory.hold(loaded.bytes * PARSED_FACTOR);
    return loaded;
  };
  const prepare = async (): Promise<Prepared> => ({
    ...(await load()),
    deps: {
      ...(await environment.deps(claim, workflow, { respond, startChild: callerOf(reach) }, ways)),
      thread,
    },
  });
  const run = async ({ claimed, state: loaded, records, deps }: Prepared): Promise<FinishedRun> => {
    const stopRequested = (): StopReason | undefined => {
      outside.begin();
      hasUsedPorts = false;
      memory.begin();
      const reason = memory.reasonToGo();
      if (reason !== undefined) held.abort(reason);
      return stopReasonOf(held, environment.isDraining());
    };
    const runOnce = (segment: RunSegment): Promise<FinishedRun> =>
      runWorkflow(requestOf(claimed, workflow, held, segment), deps, {
        onNodeRun: (event) => {
          const { executionStatus, executionTime } = event.record;
          environment.onNodeRun?.(workflow.nodes.get(event.node)?.kind, executionStatus, executionTime);
          return checkpoints.onNodeRun(event);
        },
        stopRequested,
      });
    const resumed = readResumption(claimed.resume);
    const state = withCaller(loaded, resumed);
    settings = callerSettings(claimed, workflow, state);
    if (claimed.input.length > SHORT_BYTES) await thread.takeTurn();
    return runSegments(
      { state, records, ...(resumed === undefined ? {} : { resume: resumed }) },
      { runOnce, inProcessWaits: environment.inProcessWaits, signal: held.signal, save: checkpoints.save },
    );
  };
  const hasPlace = ({ claimed, state, records, deps }: Prepared): Promise<boolean> => {
    const key = (): string =>
      evaluateKey(
        claimed.concurrencyKey ?? '',
        requestOf(claimed, workflow, held, { state, records }),
        workflow,
        claimed.startNode,
        deps,
      );
    return acquireSlot(claimed, key, reach, store);
  };
  /** Ends or releases a run that broke off outside of any node. */
  const settleThrown = async (thrown: unknown, records: RunData): Promise<RunResult> => {
    await checkpoints.halt().catch(() => undefined);
    if (isGivenBack(held.signal)) {
      await releaseFromCheckpoint(halted);
      return { kind: 'suspended' };
    }
    if (held.signal.aborted) return { kind: 'suspended' };
    // A replica of the service that knew no versions gave it out: a runner of the release that wrote it goes on.
    if (thrown instanceof EngineStateUnknown)
      return releaseUnchanged(claim, held, store, { delayMs: UNKNOWN_STATE_DELAY_MS });
    settings ??= callerSettings(claim, workflow, initialState(claim.startNode));
    if (thrown instanceof RunError)
      return endWithError(claim, checkpoints.unsaved(), held, thrown, store, errorAnswer());
    const failed = (): Promise<SettledRun> => {
      const outcome: RunOutcome = {
        kind: 'error',
        error: errorRecordOf(thrown, { name: '', type: '' }),
        lastNode: undefined,
      };
      return settleRun(halted, outcome, answerFor({ outcome, records }));
    };
    return resultOf(await (isRefusedWrite(thrown) ? endRefused(halted, thrown, undefined) : failed()));
  };

  try {
    let prepared: Prepared;
    try {
      prepared = await prepare();
    } catch (thrown) {
      return settleThrown(thrown, new Map());
    }
    let finished: FinishedRun;
    try {
      if (!(await hasPlace(prepared))) return { kind: 'suspended' };
      finished = await run(prepared);
      await checkpoints.halt();
    } catch (thrown) {
      return settleThrown(thrown, prepared.records);
    }
    const isDiscarded = isEmptyStart(prepared.claimed, workflow, finished.records);
    const result = itemsForCaller(prepared.claimed, finished, workflow);
    const ended = { ...halted, isDiscarded, ...(result === undefined ? {} : { result }) };
    return resultOf(await settleRun(ended, finished.outcome, answerFor(finished)), result);
  } finally {
    memory.close();
    await releaseUnknown();
  }
};
