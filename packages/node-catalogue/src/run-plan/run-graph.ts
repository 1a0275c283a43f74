import { attachmentsOf } from '../attachments';
import { linksOf, type NodeDefinition, type WorkflowDefinition } from '../definition';

const NONE: ReadonlySet<string> = new Set();

/** The nodes of a definition, with those before and behind each. */
export class RunGraph {
  readonly nodes: ReadonlyMap<string, NodeDefinition>;
  readonly #feeds = new Map<string, Set<string>>();
  readonly #next = new Map<string, Set<string>>();
  /** By node: the nodes that its expressions and code read. */
  readonly #read = new Map<string, ReadonlySet<string>>();
  readonly #readers = new Map<string, Set<string>>();
  /** Nodes whose expressions or code may read any other. */
  readonly #readAny = new Set<string>();

  constructor(readonly definition: WorkflowDefinition) {
    this.nodes = new Map(definition.nodes.map((node) => [node.name, node]));
    for (const { from, to } of linksOf(definition)) {
      add(this.#feeds, to, from);
      add(this.#next, from, to);
    }
    // A sub-node does not lead to the node that uses it, but decides its output.
    for (const { from, to } of attachmentsOf(definition)) add(this.#readers, from, to);
    const names = new Set(this.nodes.keys());
    for (const node of definition.nodes) this.#noteReads(node, names);
  }

  feedsOf(name: string): ReadonlySet<string> {
    return this.#feeds.get(name) ?? NONE;
  }

  /** The nodes whose data a node depends on: those that lead to it, and those that it reads. */
  sourcesOf(name: string): Iterable<string> {
    if (this.#readAny.has(name)) return this.nodes.keys();
    return [...this.feedsOf(name), ...(this.#read.get(name) ?? NONE)];
  }

  /** The nodes and everything that they lead to. */
  from(names: Iterable<string>): Set<string> {
    return reach(names, (one) => this.#next.get(one) ?? NONE);
  }

  /** The nodes and everything that depends on them. */
  dependentsOf(names: Iterable<string>): Set<string> {
    const direct = [...names];
    const start = direct.length === 0 ? direct : [...direct, ...this.#readAny];
    return reach(start, (one) => [...(this.#next.get(one) ?? NONE), ...(this.#readers.get(one) ?? NONE)]);
  }

  /** Everything that leads to the nodes, with them. */
  upTo(names: Iterable<string>): Set<string> {
    return reach(names, (one) => this.feedsOf(one));
  }

  #noteReads(node: NodeDefinition, names: ReadonlySet<string>): void {
    const read = namesRead(node, names);
    if (read === 'any') {
      this.#readAny.add(node.name);
      return;
    }
    if (read.size === 0) return;
    this.#read.set(node.name, read);
    for (const name of read) add(this.#readers, name, node.name);
  }
}

/** The names, and all that steps from them reach. */
export function reach(start: Iterable<string>, step: (name: string) => Iterable<string>): Set<string> {
  const found = new Set(start);
  for (const name of found) for (const next of step(name)) found.add(next);
  return found;
}

function add(sets: Map<string, Set<string>>, key: string, value: string): void {
  sets.set(key, (sets.get(key) ?? new Set()).add(value));
}

const READS = /\$\(|\$node\b|\$items\(/;
const PROPERTY = /\$node\.([\w$]+)/g;
const QUOTE = /["'`\\]/;
/** Nodes that one node may read by name; a node that reads more counts as reading all. */
const MAX_READ = 100;

/**
 * Nodes that the expressions and the code of a node may read: those whose quoted names occur in a text that reads any
 * node, and properties of `$node`. May find too many, so that more runs than necessary. Names that are computed are not
 * found; where names contain quotes, which may be escaped in any way, a text that reads a node counts as reading all.
 */
function namesRead({ name: own, parameters }: NodeDefinition, names: ReadonlySet<string>): ReadonlySet<string> | 'any' {
  const text = JSON.stringify(parameters);
  if (!READS.test(text)) return NONE;
  const read = new Set<string>();
  const properties = [...text.matchAll(PROPERTY)].map(([, name = '']) => name);
  for (const part of [...text.split(QUOTE), ...properties]) {
    if (part !== own && names.has(part)) read.add(part);
    if (read.size > MAX_READ) return 'any';
  }
  return [...names].some((name) => QUOTE.test(name)) ? 'any' : read;
}
