import type { Item } from '../items/items';

/** One output of a node run. */
export interface OutputPlace {
  readonly executionIndex: number;
  readonly output: number;
}

/** An evaluation asked for an item that is not loaded: load it, and evaluate again. */
export class MissingItem extends Error {
  override readonly name = 'MissingItem';

  constructor(
    readonly place: OutputPlace,
    readonly index: number,
  ) {
    super(`Item ${index} of output ${place.output} of node run ${place.executionIndex} is not loaded.`);
  }
}

/** The lists that throw for items that are not loaded. */
const PARTIAL = new WeakSet<readonly Item[]>();

/** The items of an output, of which only some are loaded. */
export class PartialItems {
  readonly #loaded: Item[];
  /** A list of all items. Reading one that is not loaded throws `MissingItem`. */
  readonly items: readonly Item[];

  /** @param total number of items of the output */
  constructor(place: OutputPlace, total: number) {
    this.#loaded = [];
    this.#loaded.length = total;
    this.items = new Proxy(this.#loaded, new Guard(place));
    PARTIAL.add(this.items);
  }

  /** Adds a page. Items beyond the total are left out. */
  add(offset: number, items: readonly Item[]): void {
    items.forEach((item, at) => {
      if (offset + at < this.#loaded.length) this.#loaded[offset + at] = item;
    });
  }
}

class Guard implements ProxyHandler<Item[]> {
  constructor(private readonly place: OutputPlace) {}

  get(items: Item[], key: string | symbol): unknown {
    this.#check(items, key);
    return Reflect.get(items, key);
  }

  has(items: Item[], key: string | symbol): boolean {
    this.#check(items, key);
    return Reflect.has(items, key);
  }

  getOwnPropertyDescriptor(items: Item[], key: string | symbol): PropertyDescriptor | undefined {
    this.#check(items, key);
    return Reflect.getOwnPropertyDescriptor(items, key);
  }

  ownKeys(items: Item[]): (string | symbol)[] {
    for (let index = 0; index < items.length; index += 1) this.#check(items, String(index));
    return Reflect.ownKeys(items);
  }

  #check(items: Item[], key: string | symbol): void {
    if (typeof key !== 'string' || !/^\d{1,10}$/.test(key)) return;
    const index = Number(key);
    if (index < items.length && !Object.hasOwn(items, key)) throw new MissingItem(this.place, index);
  }
}

/**
 * Items as the next node gets them, without error marks, whether or not all are loaded; undefined for a list that is
 * not partial.
 */
export function withoutMarks(items: readonly Item[]): readonly Item[] | undefined {
  if (!PARTIAL.has(items)) return undefined;
  return new Proxy(items, {
    get: (list, key) => {
      const value: unknown = Reflect.get(list, key);
      if (!isMarked(value)) return value;
      const { error: _error, ...rest } = value;
      return rest;
    },
  });
}

function isMarked(value: unknown): value is Item {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && 'error' in value;
}
