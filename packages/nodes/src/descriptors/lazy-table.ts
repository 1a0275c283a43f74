import { MadeTable } from './made-table';

/**
 * A table whose values are made when they are first read by key. Iteration makes the others and does not keep them: a
 * list of everything must not hold everything.
 */
export class LazyTable<Value> extends MadeTable<Value> {
  readonly #kept = new Map<string, Value>();

  constructor(private readonly makers: ReadonlyMap<string, () => Value>) {
    super();
  }

  get size(): number {
    return this.makers.size;
  }

  has(key: string): boolean {
    return this.makers.has(key);
  }

  get(key: string): Value | undefined {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const made = this.makers.get(key)?.();
    if (made !== undefined) this.#kept.set(key, made);
    return made;
  }

  keys(): MapIterator<string> {
    return this.makers.keys();
  }

  protected all(): Map<string, Value> {
    return new Map([...this.makers].map(([key, make]) => [key, this.#kept.get(key) ?? make()]));
  }
}
