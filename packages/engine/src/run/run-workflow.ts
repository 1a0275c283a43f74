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
    if (result.kind === 'nothing') return this.#readyQueue.isIdle() ? this.#succeeded() : undefined;
    if (result.kind === 'wait') {
      this.#readyQueue.requeue({ ...entry, waited: true, since: result.startTime });
      return {
        kind: 'waiting',
        wait: result.wait,
        node: node.name,
        run: this.store.runsOf(node.name),
        state: this.#state(),
      };
    }
    const stood = { executionIndex: this.#executionIndex, lastNode: this.#lastNode };
    const run = this.store.add(node.name, result.record);
    this.#executionIndex += 1;
    this.#lastNode = node.name;
    if (result.kind === 'done') this.#readyQueue.enqueueDownstream(node, run, result.outputs);
    // Before the observer is told: a run that continues from the state it stores must run the failed node again.
    if (result.kind === 'failed') this.#readyQueue.requeue(entry);
    await this.#tell(node, run, result);
    if (result.kind !== 'failed') return undefined;
    return { kind: 'error', error: result.error, lastNode: node.name, state: this.#state(stood) };
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

  async #tell(
    node: PreparedNode,
    run: number,
    { kind, record, json }: Extract<NodeRun, { kind: 'done' | 'failed' }>,
  ): Promise<void> {
    const executor = executorFor(node, this.#deps.registry);
    const actsOutside =
      executor !== undefined && leavesTraces(executor, node) && !node.options.disabled && record.pinned !== true;
    const customData = customDataOf(this.#frame.memories.get(RUN_MEMORY));
    const told = this.#observer.onNodeRun({
      node: node.name,
      run,
      record,
      json,
      actsOutside,
      ends: kind === 'failed',
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
    return {
      version: partial === undefined ? STATE_VERSIONS.written : STATE_VERSIONS.partial,
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
