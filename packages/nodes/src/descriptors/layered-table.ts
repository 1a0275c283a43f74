import { MadeTable } from './made-table';

/** A table with entries of another one below its own. Looking up a key makes nothing else of either. */
export class LayeredTable<Value> extends MadeTable<Value> {
  constructor(
    private readonly top: ReadonlyMap<string, Value>,
    private readonly base: ReadonlyMap<string, Value>,
  ) {
    super();
  }

  get size(): number {
    return [...this.keys()].length;
  }

  has(key: string): boolean {
    return this.top.has(key) || this.base.has(key);
  }

  get(key: string): Value | undefined {
    return this.top.get(key) ?? this.base.get(key);
  }

  keys(): MapIterator<string> {
    return new Set([...this.base.keys(), ...this.top.keys()]).values();
  }

  protected all(): Map<string, Value> {
    return new Map([...this.base, ...this.top]);
  }
}
