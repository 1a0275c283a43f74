import { createHash } from 'node:crypto';
import { isJsonObject } from '@weft/node-catalogue';
import type { OutboundResponse } from '@weft/outbound';
import { textOf } from '../request/read-fields';
import type { ReadResponse } from '../response/read-response';
import { pagesFailure } from '../request-failed';
import { isSuccess } from '../request/send-request';
import type { BodySettings, Fields, RequestSettings } from '../settings';

/** After this many equal responses in a row, the next one would be equal too. */
const MAX_EQUAL = 5;

/** The values of one page that replace those of the request. */
export interface PageChange {
  readonly url?: string;
  readonly query: Fields;
  readonly headers: Fields;
  readonly body: Fields;
}

/** One page that was fetched. */
export interface FetchedPage {
  readonly request: RequestSettings;
  readonly read: ReadResponse;
  /** Number of pages fetched so far, this one included. */
  readonly count: number;
}

/** Dependencies of pagination. */
export interface PageWork {
  readonly first: RequestSettings;
  readonly maxPages: number;
  /** Milliseconds between two pages. */
  readonly intervalMs: number;
  readonly itemIndex: number;
  /** The changes for page number `page`, from 0, after the last fetched page. */
  change(page: number, last: FetchedPage | undefined): PageChange;
  /** True if a response counts as a page, whatever its status. */
  accepts(response: OutboundResponse): boolean;
  /** True if no page follows. */
  isComplete(page: FetchedPage): boolean;
  send(request: RequestSettings, page: number): Promise<OutboundResponse>;
  read(response: OutboundResponse): Promise<ReadResponse>;
  failure(response: OutboundResponse): Error;
  sleep(ms: number): Promise<void>;
}

/**
 * Fetches pages until the list is complete. The page that completes it is included.
 * @throws NodeFailure if a page fails, if the next URL is invalid, or after five equal responses in a row
 */
export async function fetchPages(work: PageWork): Promise<ReadResponse[]> {
  const pages: ReadResponse[] = [];
  const equal = { hash: '', count: 0 };
  let last: FetchedPage | undefined;
  for (let page = 0; page < work.maxPages; page += 1) {
    if (page > 0 && work.intervalMs > 0) await work.sleep(work.intervalMs);
    const request = changed(work.first, work.change(page, last), work.itemIndex);
    const response = await work.send(request, page);
    if (!isSuccess(response) && !work.accepts(response)) throw work.failure(response);
    const read = await work.read(response);
    pages.push(read);
    last = { request, read, count: page + 1 };
    if (work.isComplete(last)) break;
    checkProgress(equal, response, work.itemIndex);
  }
  return pages;
}

function checkProgress(equal: { hash: string; count: number }, response: OutboundResponse, itemIndex: number): void {
  const hash = createHash('sha256').update(response.body).digest('base64');
  equal.count = hash === equal.hash ? equal.count + 1 : 1;
  equal.hash = hash;
  if (equal.count < MAX_EQUAL) return;
  throw pagesFailure(
    `The last ${MAX_EQUAL} responses were identical, so no further page was requested`,
    'Check the completion condition of the pagination, and that each request asks for another page.',
    itemIndex,
  );
}

function changed(first: RequestSettings, change: PageChange, itemIndex: number): RequestSettings {
  if (change.url !== undefined && !(URL.canParse(change.url) && /^https?:/i.test(change.url))) {
    throw pagesFailure(
      `'${change.url.slice(0, 200)}' is not a valid URL.`,
      'Make sure the "Next URL" parameter evaluates to a valid URL.',
      itemIndex,
    );
  }
  // The next URL has its own query; its values are not sent twice.
  const given = change.url === undefined ? undefined : new URL(change.url).searchParams;
  const body = first.body === undefined || change.body.length === 0 ? first.body : changedBody(first.body, change.body);
  return {
    ...first,
    url: change.url ?? first.url,
    query: merged(first.query, change.query).filter(([name]) => given?.has(name) !== true),
    headers: merged(first.headers, change.headers, (name) => name.toLowerCase()).map(
      ([name, value]) => [name, textOf(value)] as const,
    ),
    ...(body === undefined ? {} : { body }),
  };
}

function changedBody(body: BodySettings, fields: Fields): BodySettings {
  switch (body.kind) {
    case 'json':
      return {
        ...body,
        value: isJsonObject(body.value) ? { ...body.value, ...Object.fromEntries(fields) } : body.value,
      };
    case 'form':
      return { ...body, fields: merged(body.fields, fields) };
    case 'multipart': {
      const names = new Set(fields.map(([name]) => name));
      return {
        ...body,
        parts: [
          ...body.parts.filter(({ name }) => !names.has(name)),
          ...fields.map(([name, value]) => ({ name, value })),
        ],
      };
    }
    case 'text':
    case 'bytes':
    case 'file':
      return body;
  }
}

function merged(fields: Fields, changes: Fields, same: (name: string) => string = (name) => name): Fields {
  const names = new Set(changes.map(([name]) => same(name)));
  return [...fields.filter(([name]) => !names.has(same(name))), ...changes];
}
