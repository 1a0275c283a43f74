import { ReadyQueue } from './ready-queue';
import { customDataOf } from '../records/custom-data';
import { STATE_VERSIONS, type EngineState, type ReadyEntry } from '../records/engine-state';
import type { NodeExecutor, NodeRegistry, NodeShape } from '../node/node';
import { PartialRun } from './partial-run';
import { executorFor, type PreparedNode } from '../prepare/prepare-workflow';
import { RunAborted } from './run-aborted';
import { RunFrame } from './run-frame';
import { RUN_MEMORY } from './run-memory';
import { runNode } from './run-node';
import type { NodeRun } from './run-node';
import type { WrittenRecord, WrittenSubRun } from './write-records';
import type { ExecutionError, NodeRunRecord, RunData } from '../records/run-record';
import type { RunObserver, RunOutcome, RunRequest, RunDeps, StopReason } from './run-request';
import type { RunStore } from '../records/run-store';

/** A run that has come to rest, and all its node runs. */
export interface FinishedRun {
  readonly outcome: RunOutcome;
  readonly records: RunData;
}

/**
 * Runs a workflow, from the start or from a stored state, until it ends, must wait, or is stopped. Never throws for
 * the errors of a workflow: those are in the outcome. Errors thrown by the observer pass through.
 */
export async function runWorkflow(request: RunRequest, deps: RunDeps, observer: RunObserver): Promise<FinishedRun> {
  const run = new WorkflowRun(request, deps, observer);
  return { outcome: await run.toEnd(), records: run.records };
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
      const outcome = await this.#step(entry);
      if (outcome !== undefined) return outcome;
      await this.#pause();
    }
  }

  async #step(entry: ReadyEntry): Promise<RunOutcome | undefined> {
    const node = this.#request.workflow.nodes.get(entry.node);
    if (node === undefined) return this.#failed(`The workflow has no node "${entry.node}" to continue with.`);
    const replayed = this.#partial?.replay(node.name);
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
    const result = await this.#run(node, entry);
    if (result === undefined) return this.#stopped(this.#observer.stopRequested() ?? 'cancel');
    const subRuns = result.subRuns.map((one) => this.#add(one.node, one));
    if (result.kind === 'done' || result.kind === 'failed') return this.#recorded(node, entry, result, subRuns);
    if (result.kind === 'request') this.#readyQueue.request(result.entry, result.calls);
    if (result.kind === 'wait') this.#readyQueue.requeue({ ...entry, waited: true, since: result.startTime });
    for (const one of subRuns) await this.#tell(node, one, one !== subRuns.at(-1));
    if (result.kind === 'nothing') return this.#readyQueue.isIdle() ? this.#succeeded() : undefined;
    if (result.kind === 'request') return undefined;
    const run = this.store.runsOf(node.name);
    return { kind: 'waiting', wait: result.wait, node: node.name, run, state: this.#state() };
  }

  async #recorded(
    node: PreparedNode,
    entry: ReadyEntry,
    result: Extract<NodeRun, { kind: 'done' | 'failed' }>,
    subRuns: readonly AddedRun[],
  ): Promise<RunOutcome | undefined> {
    const stood = { executionIndex: this.#executionIndex, lastNode: this.#lastNode };
    const added = this.#add(node.name, result);
    if (entry.call === undefined) this.#lastNode = node.name;
    else this.#readyQueue.answer(entry.call, added.run);
    if (result.kind === 'done' && entry.call === undefined)
      this.#readyQueue.enqueueDownstream(node, added.run, result.outputs);
    // Before the observer is told: a run that continues from the state it stores must run the failed node again.
    if (result.kind === 'failed') this.#readyQueue.requeue(entry);
    for (const one of subRuns) await this.#tell(node, one, true);
    await this.#tell(node, added, false, result.kind === 'failed');
    if (result.kind !== 'failed') return undefined;
    return { kind: 'error', error: result.error, lastNode: node.name, state: this.#state(stood) };
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
  async #run(node: PreparedNode, entry: ReadyEntry): Promise<NodeRun | undefined> {
    try {
      const run = (): Promise<NodeRun> => runNode(this.#frame, node, entry, this.#executionIndex);
      return await (this.#deps.aroundNode?.(node, run, hasFailed) ?? run());
    } catch (thrown) {
      if (!(thrown instanceof RunAborted)) throw thrown;
      this.#readyQueue.requeue(entry);
      return undefined;
    }
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
    const customData = customDataOf(this.#frame.memories.get(RUN_MEMORY));
    const told = this.#observer.onNodeRun({
      node: name,
      run,
      record,
      json,
      actsOutside,
      ends,
      joinsNext,
      ...(customData === undefined ? {} : { customData }),
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

function hasFailed(run: NodeRun): boolean {
  return (run.kind === 'done' || run.kind === 'failed') && run.record.executionStatus === 'error';
}

function requiredInputs(registry: NodeRegistry, node: PreparedNode): readonly number[] | number | undefined {
  return executorFor(node, registry)?.requiredInputs?.(shapeOf(node));
}

function leavesTraces({ actsOutside }: NodeExecutor, node: PreparedNode): boolean {
  return typeof actsOutside === 'function' ? actsOutside(shapeOf(node)) : actsOutside;
}

function shapeOf(node: PreparedNode): NodeShape {
  return { version: node.version, rawParameter: (path) => node.parameters.raw(path) };
}
