import { decodeCursor, encodeCursor, pageLimit } from './cursor';

/** One page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Continues after this page; empty on the last one. */
  readonly nextCursor: string;
}

/** The requested page: 1 to 100 entries, 0 means 20; an empty cursor is the first page. */
export interface PageParams {
  readonly limit: number;
  readonly cursor: string;
}

/** Entries of a stretch of a list, some of which may be hidden: more may follow after it. */
export interface Stretch<Item> {
  readonly items: readonly Item[];
  /** Id of its last entry, which may be hidden. */
  readonly lastId: string;
}

/**
 * The entries of a stretch that are shown.
 * @param limit number of entries that were asked for: if fewer were found, the list ends with them
 */
export const shownOf = <Item>(
  found: readonly Item[],
  limit: number,
  isShown: (item: Item) => boolean,
  idOf: (item: Item) => string,
): readonly Item[] | Stretch<Item> => {
  const items = found.filter(isShown);
  const last = found.at(-1);
  const isEnd = last === undefined || found.length < limit || items.length === found.length;
  return isEnd ? items : { items, lastId: idOf(last) };
};

/** Source of the pages of a list. */
export interface PageSource<Item> {
  /** Reads the entries after an id, in the order of the list; undefined: from the start. */
  readonly read: (afterId: string | undefined, limit: number) => Promise<readonly Item[] | Stretch<Item>>;
  readonly idOf: (item: Item) => string;
  /** Filters of the list. A cursor is valid only with the filters it was made with. */
  readonly filters?: Readonly<Record<string, string>>;
  /** Shortens a page to its first entries, for example to bound its bytes; at least one must remain. */
  readonly fit?: (items: readonly Item[]) => readonly Item[];
}

/**
 * Reads one page by keyset, so concurrent inserts and deletions neither repeat nor hide other entries. A page with
 * hidden entries may be short or empty although the list continues.
 * @throws InvalidRequest for a limit above 100, or a cursor of another list
 */
export const readPage = async <Item>(
  { read, idOf, filters, fit = (items) => items }: PageSource<Item>,
  { limit, cursor }: PageParams,
): Promise<Page<Item>> => {
  const size = pageLimit(limit);
  const answer = await read(decodeCursor(cursor, filters), size + 1);
  const found = 'lastId' in answer ? answer.items : answer;
  const items = fit(found.slice(0, size));
  const last = items.at(-1);
  const isLast = last === undefined || items.length === found.length;
  if (!isLast) return { items, nextCursor: encodeCursor(idOf(last), filters) };
  return { items, nextCursor: 'lastId' in answer ? encodeCursor(answer.lastId, filters) : '' };
};
