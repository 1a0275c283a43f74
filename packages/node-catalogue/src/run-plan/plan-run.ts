import type { NodeDefinition, WorkflowDefinition } from '../definition';
import type { KindTable } from '../descriptor';
import { descriptorAmong } from '../checks/kind-of';
import { reach, RunGraph } from './run-graph';
import { staleNodes } from './stale-nodes';

/** The nodes that a user asks to run. */
export type RunTarget =
  /** Everything that a start at a trigger reaches. */
  | { readonly mode: 'all'; readonly startNode?: string }
  /** A node, and what it needs; from a trigger, if one is named. */
  | { readonly mode: 'to'; readonly node: string; readonly startNode?: string }
  /** A node and everything behind it; only what leads to `to`, if it is set. */
  | { readonly mode: 'from'; readonly node: string; readonly to?: string }
  /** A node alone, with the data that is there. */
  | { readonly mode: 'only'; readonly node: string }
  /** A node with the input of the start, and what leads from it to `to`. */
  | { readonly mode: 'input'; readonly node: string; readonly to: string };

/** The runs of a node in an execution. */
export interface PreviousRuns {
  /** Status of the last run. */
  readonly status: 'success' | 'error';
  readonly runs: number;
  /** By output: the number of runs that gave it items. */
  readonly filledOutputs: readonly number[];
}

/** An execution whose data may be reused. */
export interface PreviousRun {
  /** The version that ran. */
  readonly definition: WorkflowDefinition;
  /** Nodes that ran. */
  readonly runs: ReadonlyMap<string, PreviousRuns>;
  readonly startNode: string;
  /** False if it ended early, so that nodes which items had reached may not have run. */
  readonly hasSucceeded: boolean;
  /** Whether its pinned nodes gave their pins. */
  readonly usePinData: boolean;
}

/** Outcome of planning a run. Each list is in the order of the definition. */
export interface RunPlan {
  /** Nodes that run. */
  readonly run: readonly string[];
  /** Nodes whose output of the previous execution is used. */
  readonly reused: readonly string[];
  /** Nodes whose pinned items are used. */
  readonly pinned: readonly string[];
  /** Nodes that would have to run first, for mode `only`; the run is not possible unless this is empty. */
  readonly missing: readonly string[];
  /** Where the run starts, if a trigger runs or is pinned; undefined if the data of the previous execution suffices. */
  readonly startNode: string | undefined;
  /** Where the engine begins: at `startNode`, or at the trigger whose data is reused. Undefined: there is neither. */
  readonly entry: string | undefined;
  /** Pinned nodes at which the engine begins as well, since nodes that lead to them take no part. */
  readonly pinnedEntries: readonly string[];
}

/** Choices of a plan. */
export interface PlanOptions {
  readonly kinds: KindTable;
  readonly usePinData: boolean;
}

/**
 * Determines which nodes a run executes. A node is reused if it succeeded in the previous execution, and neither it nor
 * anything that it depends on has changed since: parameters, settings, links, pins. Without a previous execution, all
 * run. The service plans by the same function: what a client shows is what runs.
 * @param draft the definition on the screen, saved or not
 */
export function planRun(
  draft: WorkflowDefinition,
  previous: PreviousRun | undefined,
  target: RunTarget,
  options: PlanOptions,
): RunPlan {
  const graph = new RunGraph(draft);
  // A run from one trigger uses no output of another one.
  const isOther = target.mode === 'to' && target.startNode !== undefined && target.startNode !== previous?.startNode;
  const planner = new Planner(graph, isOther ? undefined : previous, options);
  if (target.mode === 'all') return planner.all(target.startNode);
  return target.mode === 'input' ? planner.between(target.node, target.to) : planner.partial(target);
}

type PartialTarget = Exclude<RunTarget, { readonly mode: 'all' | 'input' }>;

class Planner {
  /** Nodes whose output of the previous execution is not used. */
  readonly #stale: ReadonlySet<string>;

  constructor(
    private readonly graph: RunGraph,
    private readonly previous: PreviousRun | undefined,
    private readonly options: PlanOptions,
  ) {
    this.#stale = previous === undefined ? new Set() : staleNodes(graph, previous, options.usePinData);
  }

  all(startNode: string | undefined): RunPlan {
    const start = startNode ?? this.#startAmong(new Set(this.graph.nodes.keys()));
    const reached = start === undefined ? new Set<string>() : this.graph.from([start]);
    const run = this.#withoutPins(reached).filter((name) => this.#runs(name));
    return this.#plan(run, reached, [], start);
  }

  between(node: string, to: string): RunPlan {
    const wanted = this.#leading(node, to);
    return this.#plan(this.#withoutPins(wanted), wanted, [], node);
  }

  partial(target: PartialTarget): RunPlan {
    const wanted = this.#wanted(target);
    const needed = this.#needed(wanted, target);
    if (target.mode === 'only') {
      const missing = [...needed].filter((name) => name !== target.node && this.#runs(name));
      return this.#plan(this.#withoutPins([target.node]), this.#before([target.node]), missing, undefined);
    }
    const startNode = this.#chooseStart(needed, target.mode === 'to' ? target.startNode : undefined);
    const run = this.#withoutPins(this.#reachable(startNode, needed, wanted));
    return this.#plan(run, this.#before([...run, ...wanted]), [], startNode);
  }

  #wanted(target: PartialTarget): Set<string> {
    if (target.mode !== 'from') return new Set([target.node]);
    return target.to === undefined ? this.graph.from([target.node]) : this.#leading(target.node, target.to);
  }

  #leading(node: string, to: string): Set<string> {
    const leading = this.graph.upTo([to]);
    return new Set([node, ...[...this.graph.from([node])].filter((name) => leading.has(name))]);
  }

  /**
   * The wanted nodes, and before them every node without data. Nodes that are only read count as well, unless one node
   * alone is to run, or they stand behind the node.
   */
  #needed(wanted: ReadonlySet<string>, { mode, node }: PartialTarget): Set<string> {
    const behind = mode === 'only' ? undefined : this.graph.from([node]);
    const isBefore = (source: string, feeds: ReadonlySet<string>): boolean =>
      feeds.has(source) || (behind !== undefined && !behind.has(source));
    return reach(wanted, (name) => {
      if (this.#isPinned(name)) return [];
      const feeds = this.graph.feedsOf(name);
      const sources = [...this.graph.sourcesOf(name)].filter((source) => isBefore(source, feeds));
      return sources.filter((source) => !this.#hasData(source));
    });
  }

  /**
   * The trigger to start at: the given one, or that of the previous execution, unless its data is reused. Otherwise the
   * best one among the nodes that run.
   */
  #chooseStart(needed: ReadonlySet<string>, given: string | undefined): string | undefined {
    const last = this.previous?.startNode;
    if (given !== undefined) return needed.has(given) || this.#isPinned(given) ? given : undefined;
    if (last !== undefined && !needed.has(last) && this.#before(needed).has(last)) return undefined;
    return this.#startAmong(needed) ?? this.#pinnedStart(needed);
  }

  /** Of several triggers before a node only one starts: what only the others lead to does not run. */
  #reachable(startNode: string | undefined, needed: ReadonlySet<string>, wanted: ReadonlySet<string>): Set<string> {
    const entry = startNode ?? this.#replayedEntry(this.#before(needed));
    const fed = [...needed].filter((name) => [...this.graph.feedsOf(name)].some((feed) => this.#hasData(feed)));
    const reached = this.graph.from(entry === undefined ? fed : [entry]);
    return new Set([...needed].filter((name) => reached.has(name) || wanted.has(name)));
  }

  /** The nodes, and before them all whose data they get: nodes that are reused or pinned. */
  #before(names: Iterable<string>): Set<string> {
    const within = new Set(names);
    return reach(within, (name) =>
      [...this.graph.sourcesOf(name)].filter((source) => within.has(source) || this.#hasData(source)),
    );
  }

  #withoutPins(names: Iterable<string>): string[] {
    return [...names].filter((name) => !this.#isPinned(name));
  }

  #hasData(name: string): boolean {
    return this.#isPinned(name) || this.#isReusable(name);
  }

  #isPinned(name: string): boolean {
    return this.options.usePinData && this.graph.definition.pinData[name] !== undefined;
  }

  #isReusable(name: string): boolean {
    return this.previous?.runs.get(name)?.status === 'success' && !this.#stale.has(name);
  }

  /** True if the node does something: notes do not run. */
  #runs(name: string): boolean {
    const node = this.graph.nodes.get(name);
    return node === undefined || descriptorAmong(node, this.options.kinds)?.neverRuns !== true;
  }

  #isTrigger(node: NodeDefinition): boolean {
    return node.disabled !== true && descriptorAmong(node, this.options.kinds)?.isTrigger === true;
  }

  /** The trigger to start at: that of the previous execution, a pinned one, or the highest on the canvas. */
  #startAmong(names: ReadonlySet<string>): string | undefined {
    const triggers = this.graph.definition.nodes.filter((node) => names.has(node.name) && this.#isTrigger(node));
    const [first] = triggers.toSorted((a, b) => a.position[1] - b.position[1] || a.position[0] - b.position[0]);
    const same = triggers.find(({ name }) => name === this.previous?.startNode);
    return (same ?? triggers.find(({ name }) => this.#isPinned(name)) ?? first)?.name;
  }

  #pinnedStart(names: Iterable<string>): string | undefined {
    const feeds = new Set([...names].flatMap((name) => [...this.graph.feedsOf(name)]));
    return this.#startAmong(new Set([...feeds].filter((name) => this.#isPinned(name))));
  }

  /** @param used nodes that take part: those that run, and those whose data is used */
  #plan(
    run: readonly string[],
    used: ReadonlySet<string>,
    missing: readonly string[],
    startNode: string | undefined,
  ): RunPlan {
    const running = new Set(run);
    const entry = startNode ?? this.#replayedEntry(used);
    // Nodes that only another trigger leads to take no part, even if they are pinned.
    const reached = entry === undefined ? used : this.graph.from([entry]);
    const takesPart = (name: string): boolean => used.has(name) && reached.has(name) && !running.has(name);
    const pinned = this.#inOrder((name) => takesPart(name) && this.#isPinned(name));
    const reused = this.#inOrder((name) => takesPart(name) && !this.#isPinned(name) && this.#isReusable(name));
    const taking = new Set([...run, ...reused, ...pinned]);
    const isLeftOut = (name: string): boolean => !taking.has(name) && (entry === undefined || reached.has(name));
    const isEntry = (name: string): boolean => {
      const feeds = [...this.graph.feedsOf(name)];
      return name !== entry && (feeds.length === 0 || feeds.some(isLeftOut));
    };
    return {
      run: this.#inOrder((name) => running.has(name)),
      reused,
      pinned,
      missing,
      startNode,
      entry,
      pinnedEntries: pinned.filter(isEntry),
    };
  }

  /** The trigger of the previous execution, if its data is used. */
  #replayedEntry(used: ReadonlySet<string>): string | undefined {
    const last = this.previous?.startNode;
    return last !== undefined && used.has(last) && this.#hasData(last) ? last : undefined;
  }

  #inOrder(isListed: (name: string) => boolean): string[] {
    return [...this.graph.nodes.keys()].filter(isListed);
  }
}
