import {
  type Attachment,
  attachmentsOf,
  descriptorAmong,
  type KindTable,
  type WorkflowDefinition,
} from '@weft/node-catalogue/definitions';
import { layOut, type NodeBox } from './layout';

/** A link as the outline shows it. */
export interface OutlineLink {
  /** Type of the connection; `main` carries items. */
  readonly type: string;
  readonly output: number;
  /** Label of the output; empty if the node has one output only. */
  readonly label: string;
  readonly to: string;
  readonly input: number;
}

/** A node in the order in which nodes run, with the branches that begin at it. */
export interface OutlineEntry {
  readonly name: string;
  /** False if no trigger leads to it, or to the node that uses it. */
  readonly isReached: boolean;
  /** True for a node that other nodes use, and that no items reach. */
  readonly isSubNode: boolean;
  readonly links: readonly OutlineLink[];
  /** Lists of nodes that run one after the other, before what follows this entry. */
  readonly branches: readonly (readonly OutlineEntry[])[];
  /** The sub-nodes that it uses and that are not listed before. */
  readonly subNodes: readonly OutlineEntry[];
}

/** Branches within branches beyond which the outline does not indent. */
const MAX_DEPTH = 5;

/**
 * Lists all nodes in the order in which they run: from each trigger, branches from top to bottom, and a node where
 * branches join after them. A sub-node is listed with the first node that uses it. Nodes that no trigger reaches are
 * last.
 */
export function outlineOf(definition: WorkflowDefinition, kinds: KindTable): OutlineEntry[] {
  return new Outline(definition, kinds).list();
}

interface Walk {
  readonly entries: readonly OutlineEntry[];
  /** Nodes that wait for other branches. */
  readonly waiting: readonly string[];
  /** Names of all entries, those of branches included. */
  readonly own: ReadonlySet<string>;
}

class Outline {
  readonly #boxes: ReadonlyMap<string, NodeBox>;
  readonly #links: ReadonlyMap<string, readonly OutlineLink[]>;
  /** Nodes that have to be listed before a node, without those that lead back to it. */
  readonly #before = new Map<string, Set<string>>();
  readonly #listed = new Set<string>();
  readonly #triggers: ReadonlySet<string>;
  /** By the node that uses the sub-nodes. */
  readonly #attached: ReadonlyMap<string, readonly Attachment[]>;
  /** Names of sub-nodes that a node uses. */
  readonly #subNodes: ReadonlySet<string>;

  constructor(definition: WorkflowDefinition, kinds: KindTable) {
    const boxes = layOut(definition, kinds);
    this.#boxes = new Map(boxes.map((box) => [box.name, box]));
    this.#links = new Map(boxes.map((box) => [box.name, this.#linksOf(box, definition)]));
    const linked = new Set(
      [...this.#links].flatMap(([name, links]) => {
        const ends = mains(links).map(({ to }) => to);
        return ends.length === 0 ? [] : [name, ...ends];
      }),
    );
    const attachments = attachmentsOf(definition).filter(({ from }) => !linked.has(from));
    this.#attached = Map.groupBy(attachments, ({ to }) => to);
    this.#subNodes = new Set(attachments.map(({ from }) => from));
    this.#findOrder(boxes.map(({ name }) => name));
    this.#triggers = new Set(
      definition.nodes.filter((node) => descriptorAmong(node, kinds)?.isTrigger === true).map(({ name }) => name),
    );
  }

  list(): OutlineEntry[] {
    const names = [...this.#boxes.keys()].sort((a, b) => this.#compare(a, b));
    const hasSource = new Set([...this.#links.values()].flatMap((links) => mains(links).map(({ to }) => to)));
    const starts = names.filter((name) => this.#triggers.has(name));
    const roots = names.filter((name) => !hasSource.has(name) && !this.#subNodes.has(name));
    const listAll = (from: readonly string[], isReached: boolean): OutlineEntry[] =>
      from.flatMap((name) => {
        const entries: OutlineEntry[] = [];
        const pending = [name];
        while (pending.length > 0) {
          const next = pending.shift();
          if (next === undefined || this.#listed.has(next)) continue;
          const walk = this.#walk(next, 0, isReached);
          entries.push(...walk.entries);
          pending.push(...walk.waiting);
        }
        return entries;
      });
    return [...listAll(starts, true), ...listAll(roots, false), ...listAll(names, false)];
  }

  /** Lists what runs from a node on, until it joins a branch that is not listed yet. */
  #walk(start: string, depth: number, isReached: boolean): Walk {
    const entries: OutlineEntry[] = [];
    const waiting: string[] = [];
    const own = new Set<string>();
    // A node where branches join belongs to the list that they begin in.
    const isReady = (name: string): boolean =>
      [...(this.#before.get(name) ?? [])].every((before) => (depth === 0 ? this.#listed : own).has(before));
    for (let current: string | undefined = start; current !== undefined;) {
      const name: string = current;
      this.#listed.add(name);
      own.add(name);
      const links = this.#links.get(name) ?? [];
      const targets = [...new Set(mains(links).map(({ to }) => to))].filter((to) => !this.#listed.has(to));
      const ready = targets.filter(isReady);
      waiting.push(...targets.filter((to) => !ready.includes(to)));
      const branches: (readonly OutlineEntry[])[] = [];
      const isFlat = ready.length === 1 || depth >= MAX_DEPTH;
      const subNodes = this.#subNodesOf(name, depth, isReached);
      for (const inner of namesOf(subNodes)) own.add(inner);
      entries.push({ name, isReached, isSubNode: this.#subNodes.has(name), links, branches, subNodes });
      if (!isFlat) {
        for (const target of ready) {
          if (this.#listed.has(target)) continue;
          const walk = this.#walk(target, depth + 1, isReached);
          branches.push(walk.entries);
          waiting.push(...walk.waiting);
          for (const inner of walk.own) own.add(inner);
        }
      } else if (ready.length > 1) waiting.push(...ready.slice(1));
      current = isFlat ? ready[0] : undefined;
      // Branches have met.
      current ??= waiting.find((name) => !this.#listed.has(name) && (depth === 0 || isReady(name)));
    }
    return { entries, waiting: waiting.filter((name) => !this.#listed.has(name)), own };
  }

  /** Sub-nodes of a node that are not listed yet, with their own; those that are nested too deep follow unreached. */
  #subNodesOf(user: string, depth: number, isReached: boolean): OutlineEntry[] {
    if (depth > MAX_DEPTH) return [];
    return (this.#attached.get(user) ?? []).flatMap(({ from: name }) => {
      if (this.#listed.has(name)) return [];
      this.#listed.add(name);
      const subNodes = this.#subNodesOf(name, depth + 1, isReached);
      const links = this.#links.get(name) ?? [];
      return [{ name, isReached, isSubNode: true, links, branches: [], subNodes }];
    });
  }

  /** Notes which nodes precede a node, in depth-first order without recursion: chains have thousands of nodes. */
  #findOrder(names: readonly string[]): void {
    const state = new Map<string, 'open' | 'done'>();
    for (const root of names) {
      if (state.has(root)) continue;
      const stack = [{ name: root, targets: mains(this.#links.get(root) ?? []), at: 0 }];
      state.set(root, 'open');
      for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
        const link = top.targets[top.at];
        top.at += 1;
        if (link === undefined) {
          state.set(top.name, 'done');
          stack.pop();
          continue;
        }
        // A link to a node that is still open leads back: it is the end of a loop.
        if (state.get(link.to) === 'open') continue;
        const before = this.#before.get(link.to) ?? new Set<string>();
        this.#before.set(link.to, before.add(top.name));
        if (state.has(link.to)) continue;
        state.set(link.to, 'open');
        stack.push({ name: link.to, targets: mains(this.#links.get(link.to) ?? []), at: 0 });
      }
    }
  }

  #linksOf(box: NodeBox, { connections }: WorkflowDefinition): OutlineLink[] {
    const byType = Object.hasOwn(connections, box.name) ? (connections[box.name] ?? {}) : {};
    return Object.entries(byType).flatMap(([type, outputs]) =>
      outputs.flatMap((ends, output) => {
        const label = box.outputs.find((port) => port.type === type && port.index === output)?.label ?? '';
        return ends
          .filter(({ node }) => this.#boxes.has(node))
          .map(({ node, index }): OutlineLink => ({ type, output, label, to: node, input: index }))
          .sort((a, b) => this.#compare(a.to, b.to));
      }),
    );
  }

  #compare(a: string, b: string): number {
    const [one, other] = [this.#boxes.get(a), this.#boxes.get(b)];
    if (one === undefined || other === undefined) return 0;
    return one.y - other.y || one.x - other.x;
  }
}

function namesOf(entries: readonly OutlineEntry[]): string[] {
  return entries.flatMap(({ name, subNodes }) => [name, ...namesOf(subNodes)]);
}

function mains(links: readonly OutlineLink[]): readonly OutlineLink[] {
  return links.filter(({ type }) => type === 'main');
}
