import { isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { DateTime } from 'luxon';
import {
  ExpressionError,
  type ExpressionScope,
  type OutputChoice,
  type PreviousNode,
  type RegexFallback,
  type ScopeExecution,
  type ScopeItem,
  type ScopeWorkflow,
} from '@weft/expressions';
import type { InputSources } from '../records/engine-state';
import type { Item } from '../items/items';
import { leadingRun } from '../run/leading-run';
import { findPairedItem } from '../items/paired-item';
import type { PreparedNode, PreparedWorkflow } from '../prepare/prepare-workflow';
import type { RunStore } from '../records/run-store';

/** Addresses that wake a run: for programs, and for people who fill in a form. */
export interface ResumeUrls {
  readonly resumeUrl: string;
  readonly resumeFormUrl: string;
}

/** The part of an execution that expressions can see: a `RunFrame`, or the data of an ended execution in a preview. */
export interface ScopeFrame {
  readonly request: {
    readonly workflow: PreparedWorkflow;
    readonly workflowId: string;
    readonly workflowActive: boolean;
    readonly executionId: string;
    readonly mode: string;
  };
  readonly deps: {
    readonly vars: Readonly<Record<string, Json>>;
    readonly env: Readonly<Record<string, string>>;
    readonly regexFallback?: RegexFallback;
  };
  readonly store: RunStore;
  readonly timezone: string;
  /** State that nodes store between their runs, by name. */
  readonly memories: ReadonlyMap<string, JsonObject>;
  readonly pins: ReadonlyMap<string, readonly Item[]>;
  now(): DateTime;
  /** The output through which one node leads to another, undefined if it does not. */
  connectingOutput(source: string, target: string): number | undefined;
  /** Pairs that the run has stored for people to find it by. */
  customData(): Readonly<Record<string, string>> | undefined;
  /** Undefined where clients cannot reach the run. */
  resumeUrls(): ResumeUrls | undefined;
}

/** State shared by the scopes of all items of one node run. */
export interface NodeRunScope {
  readonly frame: ScopeFrame;
  readonly node: PreparedNode;
  readonly runIndex: number;
  readonly sources: InputSources;
  /** The current items, all of them even if the node runs for the first only, and the input they came from. */
  readonly items: readonly Item[];
  readonly itemsInput: number;
  /** The node from whose place in the workflow expressions look, if it is another one: the root of a sub-node. */
  readonly place?: string;
  /** Number of the first of `items` among those of the source; 0 if absent. */
  readonly firstItem?: number;
  /** Runs of other nodes that led here, as far as they were asked for. */
  readonly leadingRuns: Map<string, number>;
}

/** The facts of a run, each found out when it is asked for. */
class RunFacts implements ScopeExecution {
  readonly #frame: ScopeFrame;

  constructor(frame: ScopeFrame) {
    this.#frame = frame;
  }

  get id(): string {
    return this.#frame.request.executionId;
  }

  get mode(): string {
    return this.#frame.request.mode === 'manual' ? 'test' : 'production';
  }

  get resumeUrl(): string | undefined {
    return this.#frame.resumeUrls()?.resumeUrl;
  }

  get resumeFormUrl(): string | undefined {
    return this.#frame.resumeUrls()?.resumeFormUrl;
  }

  get customData(): Readonly<Record<string, string>> | undefined {
    return this.#frame.customData();
  }
}

/** Scope of expressions for one item of a node run. */
export class NodeScope implements ExpressionScope {
  readonly itemIndex: number;
  readonly runIndex: number;
  readonly #shared: NodeRunScope;
  readonly extra: Readonly<Record<string, Json>> | undefined;
  #now: DateTime | undefined;

  constructor(
    shared: NodeRunScope,
    itemIndex: number,
    runIndex = shared.runIndex,
    extra?: Readonly<Record<string, Json>>,
  ) {
    this.#shared = shared;
    this.itemIndex = itemIndex;
    this.runIndex = runIndex;
    this.extra = extra;
  }

  /** The current item, or the one that further roots put in its place. */
  get item(): ScopeItem | undefined {
    const json = this.extra?.['$json'];
    return isJsonObject(json) ? { json } : this.#shared.items[this.itemIndex];
  }

  get inputItems(): readonly ScopeItem[] {
    return this.#shared.items;
  }

  get nodeName(): string {
    return this.#shared.node.name;
  }

  get nodeId(): string {
    return this.#shared.node.definition.id ?? '';
  }

  get nodeVersion(): number {
    return this.#shared.node.version;
  }

  get mode(): string {
    return this.#shared.frame.request.mode;
  }

  get prevNode(): PreviousNode | undefined {
    const source = this.#shared.sources[this.#shared.itemsInput];
    if (source === null || source === undefined) return undefined;
    return {
      name: source.previousNode,
      outputIndex: source.previousNodeOutput ?? 0,
      runIndex: source.previousNodeRun ?? 0,
    };
  }

  get workflow(): ScopeWorkflow {
    const { request } = this.#shared.frame;
    return { id: request.workflowId, name: request.workflow.definition.name, active: request.workflowActive };
  }

  get execution(): ScopeExecution {
    return new RunFacts(this.#shared.frame);
  }

  get vars(): Readonly<Record<string, Json>> {
    return this.#shared.frame.deps.vars;
  }

  get env(): Readonly<Record<string, string>> {
    return this.#shared.frame.deps.env;
  }

  get timezone(): string {
    return this.#shared.frame.timezone;
  }

  get regexFallback(): RegexFallback | undefined {
    return this.#shared.frame.deps.regexFallback;
  }

  now(): DateTime {
    this.#now ??= this.#shared.frame.now();
    return this.#now;
  }

  hasNode(name: string): boolean {
    return this.#shared.frame.request.workflow.nodes.has(name);
  }

  isExecuted(name: string): boolean {
    return this.#shared.frame.store.runsOf(name) > 0 || this.#shared.frame.pins.has(name);
  }

  nodeOutput(name: string, choice: OutputChoice = {}): readonly ScopeItem[] {
    const { store, pins } = this.#shared.frame;
    if (store.runsOf(name) === 0) {
      const pinned = pins.get(name);
      if (pinned !== undefined) return pinned;
      throw notExecuted(name);
    }
    const run = choice.run ?? this.#leadingRun(name);
    const record = store.run(name, run);
    if (record === undefined) throw noData(`Run ${run} of node '${name}' does not exist`, name);
    const output = choice.output ?? this.#shared.frame.connectingOutput(name, this.#place) ?? 0;
    const items = record.data?.main?.[output];
    if (items !== undefined) return items;
    if (choice.output === undefined || choice.output < this.#outputCount(name)) return [];
    throw noData(`Node '${name}' has no output ${output}`, name);
  }

  pairedItem(name: string, itemIndex: number): ScopeItem | undefined {
    const { frame, sources, itemsInput, firstItem = 0 } = this.#shared;
    const isExecuted = frame.store.runsOf(name) > 0;
    const pinned = frame.pins.get(name);
    if (!isExecuted && pinned !== undefined) return pinned[itemIndex] ?? pinned[0];
    if (frame.connectingOutput(name, this.#place) === undefined) throw noPathBack(name);
    if (!isExecuted) throw notExecuted(name);
    return findPairedItem(frame.store, sources, itemsInput, firstItem + itemIndex, name);
  }

  nodeParameters(name: string): JsonObject {
    return this.#shared.frame.request.workflow.nodes.get(name)?.parameters.all() ?? {};
  }

  nodeContext(name: string): JsonObject {
    return this.#shared.frame.memories.get(name) ?? {};
  }

  executesOnce(name: string): boolean {
    return this.#shared.frame.request.workflow.nodes.get(name)?.options.executeOnce ?? false;
  }

  atItem(itemIndex: number, runIndex?: number): ExpressionScope {
    return new NodeScope(this.#shared, itemIndex, runIndex ?? this.runIndex, this.extra);
  }

  get #place(): string {
    return this.#shared.place ?? this.nodeName;
  }

  #leadingRun(name: string): number {
    const { leadingRuns, frame, sources } = this.#shared;
    const known = leadingRuns.get(name);
    if (known !== undefined) return known;
    const found = leadingRun(frame.store, sources, name);
    leadingRuns.set(name, found);
    return found;
  }

  #outputCount(name: string): number {
    return this.#shared.frame.request.workflow.nodes.get(name)?.outputCount ?? 0;
  }
}

function notExecuted(name: string): ExpressionError {
  return new ExpressionError(`Node '${name}' hasn't been executed`, {
    type: 'no_execution_data',
    node: name,
    description:
      `An expression reads the items of "${name}", which has not run before this node. Check with ` +
      `$('${name}').isExecuted ` +
      'first.',
  });
}

function noPathBack(name: string): ExpressionError {
  return new ExpressionError('Invalid expression', {
    type: 'no_connection',
    node: name,
    description: `No path leads from "${name}" to this node: connect them, or read $('${name}').first() instead.`,
  });
}

function noData(message: string, node: string): ExpressionError {
  return new ExpressionError(message, { type: 'no_node_data', node });
}
