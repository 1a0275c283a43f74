import type { EngineState, InputSources, ReadyEntry } from '../records/engine-state';
import type { PendingCall } from '../records/pending-calls';
import { ancestorsOf } from '../prepare/graph';
import type { Item } from '../items/items';
import type { PartialRun } from './partial-run';
import type { PreparedNode, PreparedWorkflow } from '../prepare/prepare-workflow';
import type { RunSource } from '../records/run-record';
import { sourceOf } from '../records/run-store';
import { WaitingInputs } from './waiting-inputs';

/**
 * The inputs that a node with several must have before it runs: their numbers, or how many. Undefined: one is enough
 * once nothing else can run.
 */
export type RequiredInputs = (node: PreparedNode) => readonly number[] | number | undefined;

/**
 * The queue of nodes to run. Depth first: what follows a node that just ran goes before everything else that is ready,
 * and a node wired on several inputs waits until each has items. Changed in place by one run only.
 */
export class ReadyQueue {
  readonly #workflow: PreparedWorkflow;
  readonly #requiredInputs: RequiredInputs;
  /** The next one last, so that taking and adding cost the same however much is ready. */
  readonly #ready: ReadyEntry[];
  /** By node, in the order of the first arrival. */
  readonly #waiting: Map<string, WaitingInputs>;
  readonly #partial: PartialRun | undefined;
  /** Calls that run at the same time, and entries that have taken their places, in their order. */
  readonly #running: ReadyEntry[] = [];

  /** @param partial the nodes that take part; undefined: all */
  constructor(
    workflow: PreparedWorkflow,
    state: Pick<EngineState, 'ready' | 'waiting'>,
    requiredInputs: RequiredInputs,
    partial?: PartialRun,
  ) {
    this.#workflow = workflow;
    this.#requiredInputs = requiredInputs;
    this.#partial = partial;
    this.#ready = state.ready.toReversed();
    this.#waiting = new Map(
      state.waiting.map(({ node, arrived }) => [node, new WaitingInputs(arrived.length, arrived)]),
    );
  }

  /** Takes the next entry; undefined if the run has come to its end. */
  take(): ReadyEntry | undefined {
    return this.#ready.pop() ?? this.#takeEntry() ?? this.#takeIncomplete();
  }

  /** True if no entry is ready. Nodes may still wait for further inputs. */
  isIdle(): boolean {
    return this.#ready.length === 0;
  }

  /**
   * Takes the calls after a call that was taken, up to a number in all, if the same node requested them and they are
   * admitted. If there are any, all of them stay in the state until they are replaced, and `endCalls` follows.
   */
  takeCallsAfter(first: ReadyEntry, max: number, admits: (entry: ReadyEntry) => boolean): readonly ReadyEntry[] {
    const calls = [first];
    for (;;) {
      const next = this.#ready.at(-1);
      if (next === undefined || calls.length >= max || !isOfSameRequest(first, next) || !admits(next)) break;
      calls.push(next);
      this.#ready.pop();
    }
    if (calls.length === 1) return [];
    this.#running.push(...calls);
    return calls.slice(1);
  }

  /** Puts everything in front that calls which ran at the same time have left. */
  endCalls(): void {
    this.#ready.push(...this.#running.toReversed());
    this.#running.length = 0;
  }

  /** Puts an entry back in front. */
  requeue(entry: ReadyEntry): void {
    this.#ready.push(entry);
  }

  /** Puts entries in the place of one that was taken and has run, the next one first. */
  replace(taken: ReadyEntry, by: readonly ReadyEntry[]): void {
    const at = this.#running.indexOf(taken);
    if (at === -1) this.#ready.push(...by.toReversed());
    else this.#running.splice(at, 1, ...by);
  }

  /** Puts a call behind all others of its request. @param by the entry of the call from now on */
  defer(taken: ReadyEntry, by: ReadyEntry): void {
    this.replace(taken, []);
    const root = by.call === undefined ? -1 : this.#rootOf(by.call);
    this.#ready.splice(root === -1 ? this.#ready.length : root + 1, 0, by);
  }

  /** Notes that the run has waited, for all nodes that wait for calls. */
  noteWait(ms: number): void {
    this.#ready.forEach((entry, at) => {
      const { request } = entry;
      if (request === undefined) return;
      this.#ready[at] = { ...entry, request: { ...request, waitedMs: (request.waitedMs ?? 0) + Math.max(0, ms) } };
    });
  }

  /** Notes the run of a tool node that made a call, for the node that requested it. */
  answer(answered: PendingCall, run: number): void {
    const { id } = answered;
    const at = this.#rootOf(answered);
    const entry = this.#ready[at];
    if (entry?.request === undefined) return;
    const first = entry.request.calls.findIndex((call) => call.id === id && call.run === undefined);
    const calls = entry.request.calls.map((call, index) => (index === first ? { ...call, run } : call));
    this.#ready[at] = { ...entry, request: { ...entry.request, calls } };
  }

  /** Place of the entry of the node that requested a call; -1 if the queue has no such entry. */
  #rootOf({ id, root }: PendingCall): number {
    // The last one is taken next: calls of a node that is called itself come before everything else.
    return this.#ready.findLastIndex(
      ({ node, request }) =>
        node === root.node && request?.calls.some((call) => call.id === id && call.run === undefined) === true,
    );
  }

  /** True if a node waits for calls that it requested. */
  hasRequests(): boolean {
    return [...this.#running, ...this.#ready].some(({ request, call }) => request !== undefined || call !== undefined);
  }

  /** Lets everything follow that hangs on an output of this node run which has items. */
  enqueueDownstream(node: PreparedNode, run: number, outputs: readonly (readonly Item[])[]): void {
    const { successors } = node;
    // The last one added is the next one taken, so the branches are walked from the last to the first.
    for (let index = successors.length - 1; index >= 0; index -= 1) {
      const successor = successors[index];
      if (successor === undefined || (outputs[successor.output]?.length ?? 0) === 0) continue;
      if (this.#partial === undefined || this.#partial.admits(successor.node))
        this.#arrive(successor.node, successor.input, sourceOf(node.name, successor.output, run));
      else this.#ready.push(...this.#partial.takeEntriesBehind(successor.node).map(withoutSources).toReversed());
    }
  }

  /** The part of the engine's state that this queue is. */
  state(): Pick<EngineState, 'ready' | 'waiting'> {
    return {
      ready: [...this.#running, ...this.#ready.toReversed()],
      waiting: [...this.#waiting].map(([node, inputs]) => ({ node, arrived: inputs.state() })),
    };
  }

  #takeEntry(): ReadyEntry | undefined {
    const entry = this.#partial?.takeEntry();
    return entry === undefined ? undefined : withoutSources(entry);
  }

  #arrive(name: string, input: number, source: RunSource): void {
    const inputCount = this.#workflow.nodes.get(name)?.inputCount ?? 0;
    if (this.#partial?.takesArrival(name, inputCount) === false) return;
    if (inputCount <= 1) {
      this.#ready.push({ node: name, sources: [source] });
      return;
    }
    const inputs = this.#waiting.get(name) ?? new WaitingInputs(inputCount);
    this.#waiting.set(name, inputs);
    inputs.add(input, source);
    if (inputs.isComplete()) this.#ready.push({ node: name, sources: this.#takeFrom(name, inputs) });
  }

  /** Nothing is ready: the first waiting node that can do with what it has runs, with nothing on its other inputs. */
  #takeIncomplete(): ReadyEntry | undefined {
    for (const [name, inputs] of this.#waiting) {
      const node = this.#workflow.nodes.get(name);
      if (node === undefined || !this.#suffices(node, inputs.first()) || this.#mayStillGet(name)) continue;
      return { node: name, sources: this.#takeFrom(name, inputs) };
    }
    return undefined;
  }

  #suffices(node: PreparedNode, sources: InputSources): boolean {
    const required = this.#requiredInputs(node);
    if (required === undefined) return true;
    if (typeof required === 'number') return sources.filter((one) => one !== null).length >= required;
    return required.every((input) => sources[input] !== null && sources[input] !== undefined);
  }

  /** A node whose ancestors wait as well is put off: what they give may still reach it. */
  #mayStillGet(name: string): boolean {
    if (this.#waiting.size === 1) return false;
    const ancestors = ancestorsOf(this.#workflow, name);
    return [...this.#waiting.keys()].some((other) => ancestors.has(other));
  }

  #takeFrom(name: string, inputs: WaitingInputs): InputSources {
    const sources = inputs.take();
    if (inputs.isEmpty()) this.#waiting.delete(name);
    return sources;
  }
}

function isOfSameRequest(first: ReadyEntry, next: ReadyEntry): boolean {
  const [one, other] = [first.call?.root, next.call?.root];
  return one !== undefined && other?.node === one.node && other.runIndex === one.runIndex;
}

function withoutSources(node: string): ReadyEntry {
  return { node, sources: [] };
}
