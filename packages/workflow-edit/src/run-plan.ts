import {
  descriptorAmong,
  isEqualJson,
  linksOf,
  type Json,
  type KindTable,
  type NodeDefinition,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';

/** The nodes that a user asks to run. */
export type RunTarget =
  /** Everything that a start at a trigger reaches. */
  | { readonly mode: 'all'; readonly startNode?: string }
  /** A node, and what it needs. */
  | { readonly mode: 'to'; readonly node: string }
  /** A node and everything behind it. */
  | { readonly mode: 'from'; readonly node: string }
  /** A node alone, with the data that is there. */
  | { readonly mode: 'only'; readonly node: string };

/** An execution whose data may be reused. */
export interface PreviousRun {
  /** The version that ran. */
  readonly definition: WorkflowDefinition;
  /** Nodes that ran, with the status of their last run. */
  readonly runs: ReadonlyMap<string, 'success' | 'error'>;
  readonly startNode: string;
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
}

/** Choices of a plan. */
export interface PlanOptions {
  readonly kinds: KindTable;
  readonly usePinData: boolean;
}

/**
 * Determines which nodes a run executes. A node is reused if it succeeded in the previous execution, and neither it nor
 * anything before it has changed since: parameters, settings, links, pins. Without a previous execution, all run.
 * @param draft the definition on the screen, saved or not
 */
export function planRun(
  draft: WorkflowDefinition,
  previous: PreviousRun | undefined,
  target: RunTarget,
  options: PlanOptions,
): RunPlan {
  const graph = new Graph(draft);
  const planner = new Planner(graph, previous, options);
  return target.mode === 'all' ? planner.all(target.startNode) : planner.partial(target);
}

/** The enabled nodes and links of a definition. */
class Graph {
  readonly nodes: ReadonlyMap<string, NodeDefinition>;
  readonly #feeds = new Map<string, Set<string>>();
  readonly #next = new Map<string, Set<string>>();

  constructor(readonly definition: WorkflowDefinition) {
    this.nodes = new Map(definition.nodes.map((node) => [node.name, node]));
    for (const { from, to } of linksOf(definition)) {
      add(this.#feeds, to, from);
      add(this.#next, from, to);
    }
  }

  feedsOf(name: string): ReadonlySet<string> {
    return this.#feeds.get(name) ?? NONE;
  }

  /** The nodes and everything that they lead to. */
  from(names: Iterable<string>): Set<string> {
    return reach(names, (one) => this.#next.get(one) ?? NONE);
  }

  /** Everything that leads to the nodes, with them. */
  upTo(names: Iterable<string>): Set<string> {
    return reach(names, (one) => this.feedsOf(one));
  }
}

const NONE: ReadonlySet<string> = new Set();

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

function reach(start: Iterable<string>, step: (name: string) => Iterable<string>): Set<string> {
  const found = new Set(start);
  for (const name of found) for (const next of step(name)) found.add(next);
  return found;
}

class Planner {
  /** Nodes whose output of the previous execution is not used. */
  readonly #stale: ReadonlySet<string>;

  constructor(
    private readonly graph: Graph,
    private readonly previous: PreviousRun | undefined,
    private readonly options: PlanOptions,
  ) {
    this.#stale = previous === undefined ? NONE : staleNodes(graph, previous);
  }

  all(startNode: string | undefined): RunPlan {
    const start = startNode ?? this.#startAmong(new Set(this.graph.nodes.keys()));
    const reached = start === undefined ? new Set<string>() : this.graph.from([start]);
    return this.#plan(
      [...reached].filter((name) => this.#runs(name)),
      [],
      start,
    );
  }

  partial(target: Exclude<RunTarget, { readonly mode: 'all' }>): RunPlan {
    const wanted = target.mode === 'from' ? this.graph.from([target.node]) : new Set([target.node]);
    const needed = this.#needed(wanted);
    if (target.mode === 'only') {
      const missing = [...needed].filter((name) => name !== target.node && this.#runs(name));
      return this.#plan([target.node], missing, this.#pinnedStart([target.node]));
    }
    const startNode = this.#startAmong(needed) ?? this.#pinnedStart(needed);
    const within = startNode === undefined ? needed : this.#reachable(startNode, needed, wanted);
    return this.#plan([...within], [], startNode);
  }

  /** The wanted nodes, and before them every node without data. */
  #needed(wanted: ReadonlySet<string>): Set<string> {
    const needed = new Set(wanted);
    for (const name of needed) {
      if (this.#isPinned(name) && !wanted.has(name)) continue;
      for (const feed of this.graph.feedsOf(name)) if (!this.#hasData(feed)) needed.add(feed);
    }
    return needed;
  }

  /** Of several triggers before a node only one starts: what only the others lead to does not run. */
  #reachable(startNode: string, needed: ReadonlySet<string>, wanted: ReadonlySet<string>): Set<string> {
    const fed = [...needed].filter((name) => [...this.graph.feedsOf(name)].some((feed) => this.#hasData(feed)));
    const reached = this.graph.from([startNode, ...fed]);
    return new Set([...needed].filter((name) => reached.has(name) || wanted.has(name)));
  }

  #hasData(name: string): boolean {
    return this.#isPinned(name) || this.#isReusable(name);
  }

  #isPinned(name: string): boolean {
    return this.options.usePinData && this.graph.definition.pinData[name] !== undefined;
  }

  #isReusable(name: string): boolean {
    return this.previous?.runs.get(name) === 'success' && !this.#stale.has(name);
  }

  /** True if the node does something: notes do not run, and nodes with pins give those. */
  #runs(name: string): boolean {
    const node = this.graph.nodes.get(name);
    return node === undefined || descriptorAmong(node, this.options.kinds)?.neverRuns !== true;
  }

  /** The trigger to start at: that of the previous execution, a pinned one, or the highest on the canvas. */
  #startAmong(names: ReadonlySet<string>): string | undefined {
    const triggers = this.graph.definition.nodes.filter(
      (node) =>
        names.has(node.name) && node.disabled !== true && descriptorAmong(node, this.options.kinds)?.isTrigger === true,
    );
    const [first] = triggers.toSorted((a, b) => a.position[1] - b.position[1] || a.position[0] - b.position[0]);
    const same = triggers.find(({ name }) => name === this.previous?.startNode);
    return (same ?? triggers.find(({ name }) => this.#isPinned(name)) ?? first)?.name;
  }

  #pinnedStart(names: Iterable<string>): string | undefined {
    const feeds = new Set([...names].flatMap((name) => [...this.graph.feedsOf(name)]));
    return this.#startAmong(new Set([...feeds].filter((name) => this.#isPinned(name))));
  }

  #plan(run: readonly string[], missing: readonly string[], startNode: string | undefined): RunPlan {
    const running = new Set(run);
    const before = this.graph.upTo(run);
    const isPinned = (name: string): boolean => this.#isPinned(name);
    const used = this.#usedPins(running);
    return {
      run: this.#inOrder((name) => running.has(name) && !isPinned(name)),
      reused: this.#inOrder(
        (name) => before.has(name) && !running.has(name) && !isPinned(name) && this.#isReusable(name),
      ),
      pinned: this.#inOrder((name) => used.has(name)),
      missing,
      startNode,
    };
  }

  /** Pinned nodes that run, and those whose items the running ones get. */
  #usedPins(running: ReadonlySet<string>): Set<string> {
    const feeds = [...running].flatMap((name) => [...this.graph.feedsOf(name)]);
    return new Set([...running, ...feeds].filter((name) => this.#isPinned(name)));
  }

  #inOrder(isListed: (name: string) => boolean): string[] {
    return [...this.graph.nodes.keys()].filter(isListed);
  }
}

/** Fields of a node that change nothing about what it does. */
const WITHOUT_EFFECT: ReadonlySet<string> = new Set(['position', 'notes', 'id']);

/** Nodes that have changed or failed since the execution, and everything that they lead to. */
function staleNodes(graph: Graph, { definition, runs }: PreviousRun): Set<string> {
  const failed = [...runs].flatMap(([name, status]) => (status === 'error' ? [name] : []));
  return graph.from([...changedNodes(graph, definition), ...failed]);
}

/** Nodes that are not the same as in the version that ran: their fields, their pins, or the links to them. */
function changedNodes(graph: Graph, ran: WorkflowDefinition): string[] {
  const before = new Map(ran.nodes.map((node) => [node.name, node]));
  const [oldLinks, newLinks] = [linksInto(ran), linksInto(graph.definition)];
  return [...graph.nodes].flatMap(([name, node]) => {
    const old = before.get(name);
    const isSame =
      old !== undefined &&
      isEqualJson(effectOf(node), effectOf(old)) &&
      isEqualJson(oldLinks.get(name), newLinks.get(name)) &&
      isEqualJson(pinsOf(graph.definition, name), pinsOf(ran, name));
    return isSame ? [] : [name];
  });
}

function pinsOf({ pinData }: WorkflowDefinition, name: string): Json | undefined {
  const items = pinData[name];
  return items === undefined ? undefined : [...items];
}

function effectOf(node: NodeDefinition): Json {
  const entries = Object.entries(node).filter(([key]) => !WITHOUT_EFFECT.has(key));
  const effect: Json = JSON.parse(JSON.stringify(Object.fromEntries(entries)));
  return effect;
}

/** By node: the outputs that lead to it, and its inputs. */
function linksInto(definition: WorkflowDefinition): Map<string, Json> {
  const into = new Map<string, string[]>();
  for (const { from, output, to, input } of linksOf(definition))
    into.set(to, [...(into.get(to) ?? []), JSON.stringify([from, output, input])]);
  return new Map([...into].map(([name, links]): [string, Json] => [name, links.toSorted()]));
}
