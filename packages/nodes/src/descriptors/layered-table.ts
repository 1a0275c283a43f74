/** A table with entries of another one below its own. Looking up a key makes nothing else of either. */
export class LayeredTable<Value> implements ReadonlyMap<string, Value> {
  constructor(
    private readonly top: ReadonlyMap<string, Value>,
    private readonly base: ReadonlyMap<string, Value>,
  ) {}

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

  values(): MapIterator<Value> {
    return this.#all().values();
  }

  entries(): MapIterator<[string, Value]> {
    return this.#all().entries();
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  forEach(work: (value: Value, key: string, table: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this.entries()) work(value, key, this);
  }

  #all(): Map<string, Value> {
    return new Map([...this.base, ...this.top]);
  }
}
