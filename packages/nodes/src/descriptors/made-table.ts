/** A table of which every way to read all entries follows from one. */
export abstract class MadeTable<Value> implements ReadonlyMap<string, Value> {
  abstract readonly size: number;
  abstract has(key: string): boolean;
  abstract get(key: string): Value | undefined;
  abstract keys(): MapIterator<string>;
  protected abstract all(): Map<string, Value>;

  values(): MapIterator<Value> {
    return this.all().values();
  }

  entries(): MapIterator<[string, Value]> {
    return this.all().entries();
  }

  [Symbol.iterator](): MapIterator<[string, Value]> {
    return this.entries();
  }

  forEach(work: (value: Value, key: string, table: ReadonlyMap<string, Value>) => void): void {
    for (const [key, value] of this.entries()) work(value, key, this);
  }
}
