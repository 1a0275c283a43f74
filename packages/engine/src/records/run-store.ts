import type { Item } from '../items/items';
import { sizeOf } from './record-size';
import type { NodeRunRecord, RunData, RunSource } from './run-record';

/** The node runs of one execution so far. Items are stored here once; everything else refers to them. */
export class RunStore {
  readonly #records = new Map<string, NodeRunRecord[]>();
  /** Lists of items without error marks, so that a list is looked through once however often it is read. */
  readonly #unmarked = new WeakMap<readonly Item[], readonly Item[]>();
  #count = 0;
  #bytes = 0;

  /** @param records what earlier attempts of the execution have stored, if it continues one. */
  constructor(records?: RunData) {
    for (const [node, runs] of records ?? []) {
      this.#records.set(node, [...runs]);
      this.#count += runs.length;
      this.#bytes += sizeOf(runs);
    }
  }

  /** All runs, for readers. */
  get records(): RunData {
    return this.#records;
  }

  /** Number of node runs in all. */
  get count(): number {
    return this.#count;
  }

  /** Bytes of all records as JSON. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds a run of a node and returns its number. */
  add(node: string, record: NodeRunRecord): number {
    const runs = this.#records.get(node);
    this.#count += 1;
    this.#bytes += sizeOf([record]);
    if (runs === undefined) this.#records.set(node, [record]);
    return runs === undefined ? 0 : runs.push(record) - 1;
  }

  /** Number of runs of a node. */
  runsOf(node: string): number {
    return this.#records.get(node)?.length ?? 0;
  }

  /** One run of a node; -1 is the latest. */
  run(node: string, run: number): NodeRunRecord | undefined {
    return this.#records.get(node)?.at(run);
  }

  /** The items of a source, as the next node gets them: without error marks. */
  itemsOf(source: RunSource): readonly Item[] {
    const items =
      this.run(source.previousNode, source.previousNodeRun ?? 0)?.data?.main?.[source.previousNodeOutput ?? 0] ?? [];
    const known = this.#unmarked.get(items);
    if (known !== undefined) return known;
    const unmarked = items.some((item) => item.error !== undefined) ? items.map(withoutMark) : items;
    this.#unmarked.set(items, unmarked);
    return unmarked;
  }
}

function withoutMark(item: Item): Item {
  if (item.error === undefined) return item;
  const { error: _error, ...rest } = item;
  return rest;
}

/** A source as stored in records: numbers that are 0 are left out. */
export function sourceOf(node: string, output: number, run: number): RunSource {
  return {
    previousNode: node,
    ...(output === 0 ? {} : { previousNodeOutput: output }),
    ...(run === 0 ? {} : { previousNodeRun: run }),
  };
}
