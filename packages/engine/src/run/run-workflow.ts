import type { JsonObject } from '@weft/node-catalogue';
import { ReadyQueue } from './ready-queue';
import { RecordingTurns, type RecordingTurn } from './recording-turns';
import { approvalRequest, decided, needsApproval } from './sub-nodes/approvals';
import { callsAlongside, runAll } from './sub-nodes/concurrent-calls';
import { memoryKeyOf } from './sub-nodes/requested-calls';
import { customDataOf } from '../records/custom-data';
import { STATE_VERSIONS, type EngineState, type ReadyEntry } from '../records/engine-state';
import { modelUsageOf, readUsage } from '../records/model-usage';
import type { PendingCall } from '../records/pending-calls';
import type { NodeExecutor, NodeRegistry, WaitRequest } from '../node/node';
import { PartialRun } from './partial-run';
import { executorFor, type PreparedNode, shapeOf } from '../prepare/prepare-workflow';
import { RunAborted } from './run-aborted';
import { RunFrame } from './run-frame';
import { RUN_MEMORY } from './run-memory';
import { runNode } from './run-node';
import type { NodeRun } from './run-node';
import type { WrittenRecord, WrittenSubRun } from './write-records';
import type { ExecutionError, NodeRunRecord, RunData } from '../records/run-record';
import type { RunDeps, RunObserver, RunOutcome, RunRequest, StepOutcome, StopReason, TracedNode } from './run-request';
import type { RunStore } from '../records/run-store';

/** A run that has come to rest, and all its node runs. */
export interface FinishedRun {
  readonly outcome: RunOutcome;
  readonly records: RunData;
  /** State shared by the nodes of the run; absent if none used it. */
  readonly runMemory?: JsonObject;
}

/**
 * Runs a workflow, from the start or from a stored state, until it ends, must wait, or is stopped. Never throws for
 * the errors of a workflow: those are in the outcome. Errors thrown by the observer pass through.
 */
export async function runWorkflow(request: RunRequest, deps: RunDeps, observer: RunObserver): Promise<FinishedRun> {
  const run = new WorkflowRun(request, deps, observer);
  const outcome = await run.toEnd();
  const { records, runMemory } = run;
  return { outcome, records, ...(runMemory === undefined ? {} : { runMemory }) };
}

/** An entry that runs, and how. */
interface Step {
  readonly entry: ReadyEntry;
  readonly frame: RunFrame;
  /** For a call that runs while others do. */
  readonly turn?: RecordingTurn;
}

/** A node run that is among the records. */
interface AddedRun extends WrittenSubRun {
  readonly run: number;
}

class WorkflowRun {
  readonly #request: RunRequest;
  readonly #deps: RunDeps;
  readonly #observer: RunObserver;
  readonly #frame: RunFrame;
  readonly #readyQueue: ReadyQueue;
  readonly #partial: PartialRun | undefined;
  #executionIndex: number;
  #lastNode: string | undefined;

  constructor(request: RunRequest, deps: RunDeps, observer: RunObserver) {
    this.#request = request;
    this.#deps = deps;
    this.#observer = observer;
    this.#frame = new RunFrame(request, deps);
    const { workflow, state, records } = request;
    this.#partial = state.partial === undefined ? undefined : new PartialRun(workflow, state.partial, records);
    const required = (node: PreparedNode) => requiredInputs(deps.registry, node);
    this.#readyQueue = new ReadyQueue(workflow, state, required, this.#partial);
    this.#executionIndex = request.state.executionIndex;
    this.#lastNode = request.state.lastNode;
  }

  get store(): RunStore {
    return this.#frame.store;
  }

  get runMemory(): JsonObject | undefined {
    return this.#frame.memories.get(RUN_MEMORY);
  }

  /** All node runs, with those that are still to be replayed. */
  get records(): RunData {
    const { records } = this.store;
    if (this.#partial === undefined) return records;
    const replayed = [...this.#request.records].filter(([node]) => this.#partial?.isReplayed(node));
    return new Map([...records, ...replayed]);
  }

  async toEnd(): Promise<RunOutcome> {
    for (;;) {
      const reason = this.#observer.stopRequested();
      if (reason !== undefined) return this.#stopped(reason);
      const entry = this.#readyQueue.take();
      if (entry === undefined) return this.#succeeded();
      const outcome = await this.#next(entry);
      if (outcome !== undefined) return outcome;
      await this.#pause();
    }
  }

  /** Runs an entry, and the calls of tools that may run together with it. */
  async #next(entry: ReadyEntry): Promise<RunOutcome | undefined> {
    const frame = this.#frame;
    const others = callsAlongside(entry, this.#readyQueue, this.#request.workflow, this.#deps.registry);
    if (others.length === 0) return this.#step({ entry, frame });
    const turns = new RecordingTurns();
    const steps = [entry, ...others].map((one): Step => ({ entry: one, frame: frame.fork(), turn: turns.turn() }));
    const ended = runAll(steps, (step) => this.#step(step).finally(() => step.turn?.leave()));
    const outcomes = await ended.finally(() => this.#readyQueue.endCalls());
    const outcome = outcomes.find((one) => one !== undefined);
    // Calls that ended later have changed the state.
    return outcome?.kind === 'stopped' || outcome?.kind === 'waiting' ? { ...outcome, state: this.#state() } : outcome;
  }

  async #step(given: Step): Promise<RunOutcome | undefined> {
    const entry = this.#afterWait(given.entry);
    const step = entry === given.entry ? given : { ...given, entry };
    const node = this.#request.workflow.nodes.get(entry.node);
    if (node === undefined) return this.#failed(`The workflow has no node "${entry.node}" to continue with.`);
    const replayed = entry.call === undefined ? this.#partial?.replay(node.name) : undefined;
    if (replayed !== undefined) {
      if (replayed !== 'exhausted') this.#replay(node, replayed);
      return undefined;
    }
    if (this.store.count >= this.#deps.nodeRunsMax) {
      return this.#failed(
        `The run was ended after ${this.#deps.nodeRunsMax} node runs, the limit of an execution ` +
          '(NODE_RUNS). Does a loop in the workflow never end?',
      );
    }
    this.#observer.onNodeStart?.(node.name, this.store.runsOf(node.name));
    if (entry.wait !== undefined) return this.#wait(node, entry, entry.wait);
    const { call } = entry;
    if (call !== undefined && needsApproval(step.frame, node, call)) {
      if (entry.waited !== true) return this.#wait(node, entry, approvalRequest(step.frame, node, call));
      this.#readyQueue.requeue(decided(entry, call, this.#request.resume));
      return undefined;
    }
    const result = await this.#run(node, step);
    if (result === undefined) return this.#stopped(this.#observer.stopRequested() ?? 'cancel');
    const subRuns = result.subRuns.map((one) => this.#add(one.node, one));
    if (result.kind === 'done' || result.kind === 'failed') return this.#recorded(node, entry, result, subRuns);
    if (result.kind === 'request') this.#readyQueue.replace(entry, [...result.calls, result.entry]);
    const waiting = result.kind === 'wait' ? this.#paused(node, entry, result) : undefined;
    for (const one of subRuns) await this.#tell(node, one, one !== subRuns.at(-1));
    if (result.kind === 'nothing') return this.#readyQueue.isIdle() ? this.#succeeded() : undefined;
    return waiting;
  }

  /** The run waits for a node at once. For a call that waits without a caller, it waits when no other call can run. */
  #paused(
    node: PreparedNode,
    entry: ReadyEntry,
    { wait, startTime }: Extract<NodeRun, { kind: 'wait' }>,
  ): RunOutcome | undefined {
    if (entry.call === undefined || wait.kind === 'webhook' || wait.kind === 'approval')
      return this.#wait(node, entry, wait, startTime);
    const { waited: _waited, ...rest } = entry;
    this.#readyQueue.defer(entry, { ...rest, since: startTime, wait });
    return undefined;
  }

  #wait(node: PreparedNode, entry: ReadyEntry, wait: WaitRequest, since: number | undefined = entry.since): RunOutcome {
    const { wait: _wait, ...rest } = entry;
    const waitsSince = this.#deps.ports.clock.now();
    this.#readyQueue.replace(entry, [{ ...rest, waited: true, waitsSince, ...(since === undefined ? {} : { since }) }]);
    return { kind: 'waiting', wait, node: node.name, run: this.store.runsOf(node.name), state: this.#state() };
  }

  /** The entry of a node that has waited; the nodes that requested its call waited as long. */
  #afterWait(entry: ReadyEntry): ReadyEntry {
    if (entry.waitsSince === undefined) return entry;
    const { waitsSince, ...rest } = entry;
    this.#readyQueue.noteWait(this.#deps.ports.clock.now() - waitsSince);
    return rest;
  }

  async #recorded(
    node: PreparedNode,
    entry: ReadyEntry,
    result: Extract<NodeRun, { kind: 'done' | 'failed' }>,
    subRuns: readonly AddedRun[],
  ): Promise<RunOutcome | undefined> {
    if (entry.request !== undefined || node.attachments?.has('ai_tool') === true)
      this.#frame.models.stepsTaken((entry.request?.steps ?? 0) + 1);
    const stood = { executionIndex: this.#executionIndex, lastNode: this.#lastNode };
    const added = this.#add(node.name, result);
    if (entry.call === undefined) this.#lastNode = node.name;
    else this.#answered(entry, entry.call, added.run);
    if (result.kind === 'done' && entry.call === undefined)
      this.#readyQueue.enqueueDownstream(node, added.run, result.outputs);
    // Before the observer is told: a run that continues from the state it stores must run the failed node again.
    if (result.kind === 'failed') this.#readyQueue.requeue(entry);
    for (const one of subRuns) await this.#tell(node, one, true);
    await this.#tell(node, added, false, result.kind === 'failed');
    if (result.kind !== 'failed') return undefined;
    return { kind: 'error', error: result.error, lastNode: node.name, state: this.#state(stood) };
  }

  #answered(entry: ReadyEntry, call: PendingCall, run: number): void {
    const memory = memoryKeyOf(entry);
    if (memory !== undefined) this.#frame.memories.delete(memory);
    this.#readyQueue.replace(entry, []);
    this.#readyQueue.answer(call, run);
  }

  #add(node: string, { record, json }: WrittenRecord): AddedRun {
    this.#executionIndex += 1;
    return { node, run: this.store.add(node, record), record, json };
  }

  /** Continues behind a node with the output that it gave in an earlier execution. */
  #replay(node: PreparedNode, record: NodeRunRecord): void {
    const run = this.store.add(node.name, record);
    this.#readyQueue.enqueueDownstream(node, run, record.data?.main ?? []);
  }

  /** Undefined if the run was aborted: the entry is then back in the queue. */
  async #run(node: PreparedNode, { entry, frame, turn }: Step): Promise<NodeRun | undefined> {
    const next = (): number => this.#executionIndex;
    const beginRecording = (): Promise<number> | number => turn?.enter().then(next) ?? next();
    try {
      const run = (): Promise<NodeRun> => runNode(frame, node, entry, beginRecording);
      return await (this.#deps.aroundNode?.(this.#traced(node, entry), run, outcomeOf) ?? run());
    } catch (thrown) {
      if (!(thrown instanceof RunAborted)) throw thrown;
      this.#readyQueue.replace(entry, [entry]);
      return undefined;
    }
  }

  #traced({ name, kind }: PreparedNode, { call }: ReadyEntry): TracedNode {
    return { name, kind, run: this.store.runsOf(name), ...(call === undefined ? {} : { call }) };
  }

  /** @param node the node that ran, or that used the sub-node that ran */
  async #tell(
    node: PreparedNode,
    { node: name, run, record, json }: AddedRun,
    joinsNext: boolean,
    ends = false,
  ): Promise<void> {
    const executor = executorFor(node, this.#deps.registry);
    const actsOutside =
      executor !== undefined && leavesTraces(executor, node) && !node.options.disabled && record.pinned !== true;
    const runMemory = this.#frame.memories.get(RUN_MEMORY);
    const customData = customDataOf(runMemory);
    const modelUsage = modelUsageOf(runMemory);
    const told = this.#observer.onNodeRun({
      node: name,
      run,
      record,
      json,
      actsOutside,
      ends,
      joinsNext,
      ...(customData === undefined ? {} : { customData }),
      ...(modelUsage === undefined ? {} : { modelUsage }),
      state: () => this.#state(),
    });
    if (told !== undefined) await told;
  }

  #state(
    { executionIndex, lastNode }: { readonly executionIndex: number; readonly lastNode: string | undefined } = {
      executionIndex: this.#executionIndex,
      lastNode: this.#lastNode,
    },
  ): EngineState {
    const partial = this.#partial?.state();
    const plain = partial === undefined ? STATE_VERSIONS.written : STATE_VERSIONS.partial;
    return {
      version: this.#readyQueue.hasRequests() ? STATE_VERSIONS.requests : plain,
      executionIndex,
      ...this.#readyQueue.state(),
      memories: Object.fromEntries(this.#frame.memories),
      ...(lastNode === undefined ? {} : { lastNode }),
      ...(partial === undefined ? {} : { partial }),
    };
  }

  #succeeded(): RunOutcome {
    return { kind: 'success', lastNode: this.#lastNode };
  }

  #stopped(reason: StopReason): RunOutcome {
    return { kind: 'stopped', reason, state: this.#state() };
  }

  #failed(message: string): RunOutcome {
    const error: ExecutionError = { name: 'WorkflowOperationError', message };
    return { kind: 'error', error, lastNode: this.#lastNode };
  }

  /** Long runs of quick nodes would otherwise block heartbeats and other runs. */
  async #pause(): Promise<void> {
    try {
      await this.#frame.pause();
    } catch (thrown) {
      // The next step asks why the run is to stop.
      if (!(thrown instanceof RunAborted)) throw thrown;
    }
  }
}

function outcomeOf(run: NodeRun): StepOutcome {
  if (run.kind === 'request' || run.kind === 'wait') return { kind: 'continues' };
  if (run.kind === 'nothing') return { kind: 'success' };
  const { executionStatus, metadata, data } = run.record;
  const usage = readUsage(metadata?.['tokenUsage']);
  const output = data?.ai_tool?.flat().map(({ json }) => json);
  return {
    kind: executionStatus,
    ...(usage === undefined ? {} : { usage }),
    ...(output === undefined ? {} : { output }),
  };
}

function requiredInputs(registry: NodeRegistry, node: PreparedNode): readonly number[] | number | undefined {
  return executorFor(node, registry)?.requiredInputs?.(shapeOf(node));
}

function leavesTraces({ actsOutside }: NodeExecutor, node: PreparedNode): boolean {
  return typeof actsOutside === 'function' ? actsOutside(shapeOf(node)) : actsOutside;
}
