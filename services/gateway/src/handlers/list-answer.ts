import { quote } from '../http/json-text';
import type { Answer } from '../middleware/write-answer';
import type { ApiRequest } from './api-handler';
import { readLimit } from './read-query';

/** One page of a list: the JSON text of each entry, and the cursor of the next page; empty if there is none. */
export interface Page {
  readonly entries: readonly string[];
  readonly nextCursor: string;
}

/** Reads a page. */
export type ReadPage = (page: { readonly limit: number; readonly cursor: string }) => Promise<Page>;

const PAGE_OF_ALL = 100;

/** `nextCursor` as JSON text: null on the last page. */
export const nextCursorText = (cursor: string): string => (cursor === '' ? 'null' : quote(cursor));

/** All entries, read page by page as the client reads them, so that memory does not grow with the list. */
const allParts = async function* (readPage: ReadPage): AsyncGenerator<string> {
  let page = await readPage({ limit: PAGE_OF_ALL, cursor: '' });
  yield `{"data":[${page.entries.join(',')}`;
  let isEmpty = page.entries.length === 0;
  while (page.nextCursor !== '') {
    page = await readPage({ limit: PAGE_OF_ALL, cursor: page.nextCursor });
    if (page.entries.length === 0) continue;
    yield `${isEmpty ? '' : ','}${page.entries.join(',')}`;
    isEmpty = false;
  }
  yield ']}';
};

/**
 * Answers a list whose contract has no pages: all of it. With `limit` or `cursor`, which are additions, it is one page
 * with `nextCursor`.
 */
export const listAnswer = async ({ query }: Pick<ApiRequest, 'query'>, readPage: ReadPage): Promise<Answer> => {
  const limit = readLimit(query);
  const cursor = query.get('cursor');
  if (limit === undefined && cursor === undefined) return { status: 200, parts: allParts(readPage) };
  const page = await readPage({ limit: limit ?? 20, cursor: cursor ?? '' });
  return { status: 200, json: `{"data":[${page.entries.join(',')}],"nextCursor":${nextCursorText(page.nextCursor)}}` };
};
