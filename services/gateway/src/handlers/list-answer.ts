import { quote } from '../http/json-text';
import type { Answer, TextAnswer } from '../middleware/responses/write-answer';
import type { ApiRequest } from './api-handler';
import { CURSOR, LIMIT, type Query } from '../http/read-query';

/** One page of a list: the JSON text of each entry, and the cursor of the next page; empty if there is none. */
export interface Page {
  readonly entries: readonly string[];
  readonly nextCursor: string;
}

/** A page shared by requests: its entries as comma-separated JSON text. */
export interface PageText {
  readonly entries: Buffer;
  readonly nextCursor: string;
}

/** A requested page. */
export interface PageParams {
  readonly limit: number;
  readonly cursor: string;
}

/** Reads a page. */
export type ReadPage = (page: PageParams) => Promise<Page>;

/** The parts of a request that a list depends on. */
export type ListRequest = Pick<ApiRequest, 'query' | 'sharePage'>;

const PAGE_OF_ALL = 100;
const HEAD = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');

/** `nextCursor` as JSON text: null on the last page. */
export const nextCursorText = (cursor: string): string => (cursor === '' ? 'null' : quote(cursor));

/** The page as text. A caller's equal concurrent requests share one read and one text. */
const readText = ({ sharePage }: ListRequest, readPage: ReadPage, page: PageParams): Promise<PageText> =>
  sharePage(`${page.limit} ${page.cursor}`, async () => {
    const { entries, nextCursor } = await readPage(page);
    return { entries: Buffer.from(entries.join(',')), nextCursor };
  });

/** All entries, read page by page as the client reads them, so that memory does not grow with the list. */
const allParts = async function* (request: ListRequest, readPage: ReadPage): AsyncGenerator<string | Uint8Array> {
  let page = await readText(request, readPage, { limit: PAGE_OF_ALL, cursor: '' });
  yield Buffer.concat([HEAD, page.entries]);
  let isEmpty = page.entries.length === 0;
  while (page.nextCursor !== '') {
    page = await readText(request, readPage, { limit: PAGE_OF_ALL, cursor: page.nextCursor });
    if (page.entries.length === 0) continue;
    yield isEmpty ? page.entries : Buffer.concat([COMMA, page.entries]);
    isEmpty = false;
  }
  yield ']}';
};

/** The page requested by a query, with 20 entries by default. @throws InvalidRequest */
export const readPageParams = (query: Query): PageParams => ({
  limit: LIMIT.read(query) ?? 20,
  cursor: CURSOR.read(query),
});

/** The response for one page of a list, with `nextCursor`. */
export const pageAnswer = async (request: ListRequest, readPage: ReadPage): Promise<TextAnswer> => {
  const { entries, nextCursor } = await readText(request, readPage, readPageParams(request.query));
  return {
    status: 200,
    json: Buffer.concat([HEAD, entries, Buffer.from(`],"nextCursor":${nextCursorText(nextCursor)}}`)]),
  };
};

/**
 * The response for a list without pages in the contract: all of it. With `limit` or `cursor`, which are additions, it
 * is one page with `nextCursor`.
 */
export const listAnswer = async (request: ListRequest, readPage: ReadPage): Promise<Answer> =>
  request.query.has(LIMIT.name) || request.query.has(CURSOR.name)
    ? pageAnswer(request, readPage)
    : { status: 200, parts: allParts(request, readPage) };
