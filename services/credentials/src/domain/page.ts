import { decodeCursor, encodeCursor, pageLimit } from '@weft/service-kit/paging';

/** One page of a list, newest first. */
export interface Page<Item> {
  readonly items: readonly Item[];
  /** Continues after this page; empty on the last one. */
  readonly nextCursor: string;
}

/** Which page is wanted: 1 to 100 entries, 0 means 20; an empty cursor is the first page. */
export interface PageParams {
  readonly limit: number;
  readonly cursor: string;
}

/** Reads one page from a store that gives entries older than an id. @throws InvalidRequest */
export const readPage = async <Item extends { readonly id: string }>(
  read: (afterId: string | undefined, limit: number) => Promise<readonly Item[]>,
  params: PageParams,
): Promise<Page<Item>> => {
  const limit = pageLimit(params.limit);
  const found = await read(decodeCursor(params.cursor), limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return { items, nextCursor: found.length > limit && last !== undefined ? encodeCursor(last.id) : '' };
};
