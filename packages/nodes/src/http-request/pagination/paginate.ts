import { createHash } from 'node:crypto';
import type { Json } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { OutboundResponse } from '@weft/outbound';
import { type PageChange, type PaginationSettings, readPageChange, saysComplete } from './pagination-settings';
import { textOf } from '../request/read-fields';
import { headersOf, type ReadResponse } from '../response/read-response';
import { pagesFailure } from '../request-failed';
import { isSuccess } from '../request/send-request';
import type { BodySettings, Fields, PageRoots, Parameters, RequestSettings } from '../settings';

/** After this many equal responses in a row, the next one would be equal too. */
const MAX_EQUAL = 5;

/** Dependencies of pagination. */
export interface PageWork {
  readonly parameters: Parameters;
  readonly settings: PaginationSettings;
  readonly first: RequestSettings;
  readonly itemIndex: number;
  /** Treat every status as a success. */
  readonly neverError: boolean;
  send(request: RequestSettings, page: number): Promise<OutboundResponse>;
  read(response: OutboundResponse): Promise<ReadResponse>;
  failure(response: OutboundResponse): Error;
  sleep(ms: number): Promise<void>;
}

/**
 * Fetches pages until the settings say that the list is complete. The page that completes it is included.
 * @throws NodeFailure if a page fails, if the next URL is invalid, or after five equal responses in a row
 */
export async function fetchPages(work: PageWork): Promise<ReadResponse[]> {
  const pages: ReadResponse[] = [];
  const equal = { hash: '', count: 0 };
  let roots: PageRoots = { $response: {}, $request: requestRoot(work.first), $pageCount: 0 };
  for (let page = 0; page < work.settings.maxPages; page += 1) {
    if (page > 0 && work.settings.intervalMs > 0) await work.sleep(work.settings.intervalMs);
    const request = changed(work.first, readPageChange(work.parameters, work.settings, page, roots), work.itemIndex);
    const response = await work.send(request, page);
    if (!isSuccess(response) && !work.neverError && !completesByStatus(work.settings, response))
      throw work.failure(response);
    const read = await work.read(response);
    pages.push(read);
    roots = { $response: responseRoot(read), $request: requestRoot(request), $pageCount: page + 1 };
    if (isComplete(work, read, roots)) break;
    checkProgress(equal, response, work.itemIndex);
  }
  return pages;
}

function isComplete(work: PageWork, read: ReadResponse, roots: PageRoots): boolean {
  switch (work.settings.completion) {
    case 'responseIsEmpty':
      return isEmpty(read);
    case 'receiveSpecificStatusCodes':
      return completesByStatus(work.settings, read.response);
    case 'other':
      return saysComplete(work.parameters, roots);
  }
}

function completesByStatus(settings: PaginationSettings, response: OutboundResponse): boolean {
  return settings.completion === 'receiveSpecificStatusCodes' && settings.completeStatuses.includes(response.status);
}

function isEmpty(read: ReadResponse): boolean {
  if (read.kind === 'file' || read.response.body.length === 0) return read.response.body.length === 0;
  return Array.isArray(read.body)
    ? read.body.length === 0
    : read.body === null || read.body === '' || read.body === false || read.body === 0;
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
    case 'file':
      return body;
  }
}

function merged(fields: Fields, changes: Fields, same: (name: string) => string = (name) => name): Fields {
  const names = new Set(changes.map(([name]) => same(name)));
  return [...fields.filter(([name]) => !names.has(same(name))), ...changes];
}

function responseRoot(read: ReadResponse): Json {
  return {
    body: read.kind === 'file' ? null : (read.body ?? null),
    headers: headersOf(read.response),
    statusCode: read.response.status,
    statusMessage: read.response.statusText,
  };
}

/** The request for expressions: without the additions of a credential. */
function requestRoot(request: RequestSettings): Json {
  const { body } = request;
  return {
    method: request.method,
    url: request.url,
    qs: Object.fromEntries(request.query),
    headers: Object.fromEntries(request.headers),
    body:
      body === undefined
        ? null
        : body.kind === 'json'
          ? body.value
          : body.kind === 'form'
            ? Object.fromEntries(body.fields)
            : null,
  };
}
