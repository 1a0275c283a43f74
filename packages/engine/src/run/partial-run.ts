import { isJsonObject, type Json } from '@weft/node-catalogue/definitions';
import type { PreparedWorkflow } from '../prepare/prepare-workflow';
import type { NodeRunRecord, RunData } from '../records/run-record';

/**
 * State of a run of some nodes only: those in `run`, with the output that others gave in an earlier execution. The
 * records of those others are stored before the run begins, and are replayed: the engine walks through the workflow as
 * in a full run, and takes the next record instead of running the node.
 */
export interface PartialState {
  /** Nodes that run; any other is left out, with everything that only it leads to. */
  readonly run: readonly string[];
  /** By replayed node: the number of records that were replayed. */
  readonly replayed: Readonly<Record<string, number>>;
  /** Pinned nodes to begin at, because nodes that lead to them take no part; true once they have begun. */
  readonly entries: Readonly<Record<string, boolean>>;
}

/** Records of the nodes that were replayed so far, and of those that run. */
export function visibleRecords(records: RunData, partial: PartialState | undefined): RunData {
  if (partial === undefined) return records;
  return new Map([...records].map(([node, runs]) => [node, runs.slice(0, replayedOf(partial, node))]));
}

function replayedOf({ replayed }: PartialState, node: string): number | undefined {
  return Object.hasOwn(replayed, node) ? replayed[node] : undefined;
}

/** The nodes that take part in a run of some nodes only. Changed in place by one run. */
export class PartialRun {
  readonly #run: ReadonlySet<string>;
  readonly #replayed: Map<string, number>;
  readonly #entries: Map<string, boolean>;

  constructor(
    private readonly workflow: PreparedWorkflow,
    state: PartialState,
    private readonly records: RunData,
  ) {
    this.#run = new Set(state.run);
    this.#replayed = new Map(Object.entries(state.replayed));
    this.#entries = new Map(Object.entries(state.entries));
  }

  /** True if the node runs or is replayed. */
  admits(node: string): boolean {
    return this.#run.has(node) || this.isReplayed(node);
  }

  isReplayed(node: string): boolean {
    return this.#replayed.has(node);
  }

  /** The next record of a replayed node; undefined if the node runs. `exhausted`: it had no further run. */
  replay(node: string): NodeRunRecord | 'exhausted' | undefined {
    const replayed = this.#replayed.get(node);
    if (replayed === undefined) return undefined;
    const record = this.records.get(node)?.[replayed];
    if (record === undefined) return 'exhausted';
    this.#replayed.set(node, replayed + 1);
    return record;
  }

  /**
   * Notes that items have reached a node. False for an entry with several inputs, of which one that takes no part would
   * never be filled.
   */
  takesArrival(node: string, inputCount: number): boolean {
    if (!this.#entries.has(node)) return true;
    if (inputCount > 1) return false;
    this.#entries.set(node, true);
    return true;
  }

  /** An entry to begin at when nothing else is ready. */
  takeEntry(): string | undefined {
    const entry = [...this.#entries].find(([, hasBegun]) => !hasBegun)?.[0];
    if (entry !== undefined) this.#entries.set(entry, true);
    return entry;
  }

  /**
   * Entries to begin at that only left-out nodes lead to. A full run would come to them from there, so they begin at
   * the same point of the order.
   */
  takeEntriesBehind(leftOut: string): string[] {
    if (![...this.#entries.values()].includes(false)) return [];
    const found: string[] = [];
    const seen = new Set([leftOut]);
    for (const name of seen)
      for (const { node } of this.workflow.nodes.get(name)?.successors ?? []) {
        if (this.#entries.get(node) === false && this.#isOnlyFedByLeftOut(node)) {
          this.#entries.set(node, true);
          found.push(node);
        } else if (!this.admits(node)) seen.add(node);
      }
    return found;
  }

  #isOnlyFedByLeftOut(name: string): boolean {
    return (this.workflow.nodes.get(name)?.feeds ?? []).every(({ node }) => !this.admits(node));
  }

  state(): PartialState {
    return {
      run: [...this.#run],
      replayed: Object.fromEntries(this.#replayed),
      entries: Object.fromEntries(this.#entries),
    };
  }
}

/** Undefined if a part of it is missing. */
export function readPartial(value: Json): PartialState | undefined {
  if (!isJsonObject(value)) return undefined;
  const { run, replayed, entries } = value;
  if (!Array.isArray(run) || !isJsonObject(replayed) || !isJsonObject(entries)) return undefined;
  return {
    run: run.filter((name) => typeof name === 'string'),
    replayed: Object.fromEntries(
      Object.entries(replayed).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    ),
    entries: Object.fromEntries(Object.entries(entries).map(([name, hasBegun]) => [name, hasBegun === true])),
  };
}
