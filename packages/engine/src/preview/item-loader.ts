import type { InputSources } from '../records/engine-state';
import type { OutputPlace } from './partial-items';
import type { PreviewExecution } from './previewer';
import type { ToWorker } from './protocol';
import { upstreamOutputs } from './upstream-outputs';

/** A page of items as the API returns them. Items that are too long to be sent are undefined. */
export interface ItemPage {
  readonly items: readonly unknown[];
  readonly bytes: number;
}

export type LoadItems = (executionId: string, place: OutputPlace, offset: number, limit: number) => Promise<ItemPage>;

/** Outcome of loading: bytes; `too-much`; `failed` if the server did not give the items. */
export type Loaded = number | 'too-much' | 'failed';

const PAGE = 50;
const MAX_PAGE = 100;
/** Requests for one output. */
const MAX_REQUESTS = 20;
/** Outputs before a node whose items are loaded along with the one that was asked for. */
const MAX_AHEAD = 8;

/** Loads the items that previews ask for, each page once. */
export class ItemLoader {
  readonly #loadItems: LoadItems;
  readonly #maxBytes: number;
  readonly #post: (message: ToWorker) => void;
  #execution: PreviewExecution | undefined;
  #pages: ToWorker[] = [];
  #loads = new Map<string, Promise<number>>();
  #done = new Set<string>();
  #bytes = 0;

  /** @param maxBytes of one execution */
  constructor(loadItems: LoadItems, maxBytes: number, post: (message: ToWorker) => void) {
    this.#loadItems = loadItems;
    this.#maxBytes = maxBytes;
    this.#post = post;
  }

  /** All that was loaded, for a new worker. */
  get pages(): readonly ToWorker[] {
    return this.#pages;
  }

  /** Sets the execution. Items of another one are forgotten. */
  setExecution(execution: PreviewExecution): void {
    if (execution.executionId !== this.#execution?.executionId) {
      this.#pages = [];
      this.#loads = new Map();
      this.#done = new Set();
      this.#bytes = 0;
    }
    this.#execution = execution;
  }

  /** Loads the page of an item; `isWhole` loads all items of its output. @param maxBytes beyond which it gives up */
  async load(place: OutputPlace, index: number, isWhole: boolean, maxBytes: number): Promise<Loaded> {
    if (this.#bytes > this.#maxBytes) return 'too-much';
    try {
      if (!isWhole) return await this.#loadPage(place, Math.floor(index / PAGE) * PAGE, PAGE);
      const total = this.#totalOf(place);
      if (total > MAX_REQUESTS * MAX_PAGE) return 'too-much';
      let bytes = 0;
      for (let offset = 0; offset < total && bytes <= maxBytes; offset += MAX_PAGE)
        bytes += await this.#loadPage(place, offset, MAX_PAGE);
      return bytes > maxBytes ? 'too-much' : bytes;
    } catch {
      return 'failed';
    }
  }

  /** Loads the items that an item probably goes back to, so that following its links takes one round. */
  async loadAhead(sources: InputSources, index: number): Promise<void> {
    const offset = Math.floor(index / PAGE) * PAGE;
    const outputs = upstreamOutputs(this.#execution?.runs ?? [], sources, MAX_AHEAD);
    await Promise.allSettled(
      outputs.filter((one) => offset < this.#totalOf(one)).map((one) => this.#loadPage(one, offset, PAGE)),
    );
  }

  #totalOf({ executionIndex, output }: OutputPlace): number {
    return this.#execution?.runs.find((run) => run.executionIndex === executionIndex)?.items[output] ?? 0;
  }

  /** @returns bytes; 0 if the page was loaded before @throws what `loadItems` throws */
  async #loadPage(place: OutputPlace, offset: number, limit: number): Promise<number> {
    if (this.#execution === undefined) return 0;
    const key = `${place.executionIndex} ${place.output} ${offset} ${limit}`;
    if (this.#done.has(key)) return 0;
    const known = this.#loads.get(key);
    if (known !== undefined) return known;
    const [loads, done] = [this.#loads, this.#done];
    const load = this.#loadItems(this.#execution.executionId, place, offset, limit).then(({ items, bytes }) => {
      // Another execution may have been chosen meanwhile.
      if (loads !== this.#loads) return bytes;
      done.add(key);
      this.#bytes += bytes;
      for (const page of pagesOf(place, offset, items)) {
        this.#pages.push(page);
        this.#post(page);
      }
      return bytes;
    });
    loads.set(key, load);
    load.catch(() => loads.delete(key));
    return load;
  }
}

/** Messages with the items that are there; those that are too long stay missing. */
function pagesOf(place: OutputPlace, offset: number, items: ItemPage['items']): ToWorker[] {
  const pages: ToWorker[] = [];
  let row: unknown[] = [];
  items.forEach((item, at) => {
    if (item !== undefined) row.push(item);
    if (row.length === 0 || (item !== undefined && at + 1 < items.length)) return;
    const end = item === undefined ? at : at + 1;
    pages.push({ kind: 'items', place, offset: offset + end - row.length, items: row });
    row = [];
  });
  return pages;
}
