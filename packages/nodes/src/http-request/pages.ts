import type { Json } from '@weft/node-catalogue';
import type { OutboundResponse } from '@weft/outbound';
import { type FetchedPage, fetchPages, type PageWork } from '../shared/http/pages/fetch-pages';
import { headersOf, type ReadResponse } from '../shared/http/response/read-response';
import type { PageRoots, Parameters, RequestSettings } from '../shared/http/settings';
import { type PaginationSettings, readPageChange, saysComplete } from './pagination-settings';

/** Dependencies of the pages of an HTTP Request node. */
export interface NodePages extends Pick<PageWork, 'first' | 'itemIndex' | 'send' | 'read' | 'failure' | 'sleep'> {
  readonly parameters: Parameters;
  readonly settings: PaginationSettings;
  /** Treat every status as a success. */
  readonly neverError: boolean;
}

/**
 * Fetches the pages that the node's pagination settings ask for.
 * @throws NodeFailure as `fetchPages` does
 */
export function fetchNodePages(pages: NodePages): Promise<ReadResponse[]> {
  const { parameters, settings, neverError, ...work } = pages;
  return fetchPages({
    ...work,
    maxPages: settings.maxPages,
    intervalMs: settings.intervalMs,
    change: (page, last) => readPageChange(parameters, settings, page, rootsOf(work.first, last)),
    accepts: (response) => neverError || completesByStatus(settings, response),
    isComplete: (page) => isComplete(settings, parameters, page, rootsOf(work.first, page)),
  });
}

/** The names that expressions of the pagination see after a page; before the first page, they have no response. */
function rootsOf(first: RequestSettings, last: FetchedPage | undefined): PageRoots {
  return {
    $response: last === undefined ? {} : responseRoot(last.read),
    $request: requestRoot(last?.request ?? first),
    $pageCount: last?.count ?? 0,
  };
}

function isComplete(
  settings: PaginationSettings,
  parameters: Parameters,
  { read }: FetchedPage,
  roots: PageRoots,
): boolean {
  switch (settings.completion) {
    case 'responseIsEmpty':
      return isEmpty(read);
    case 'receiveSpecificStatusCodes':
      return completesByStatus(settings, read.response);
    case 'other':
      return saysComplete(parameters, roots);
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
