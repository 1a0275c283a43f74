import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { OutboundResponse } from '@weft/outbound';
import { type FetchedPage, fetchPages, type PageChange } from '../shared/http/pages/fetch-pages';
import type { ReadResponse } from '../shared/http/response/read-response';
import type { Fields, RequestSettings } from '../shared/http/settings';
import { valueAtPath } from './build-call';
import type { PreparedPages, PreparedRequest } from './prepare-request';
import { type CallResponse, type CallTarget, sendCall } from './send-call';
import { Template } from './template';

/** Maximum number of pages: a longer list is assumed to be endless. */
const MAX_PAGES = 5_000;
/** Entries of a list that are returned if a node sets no limit. */
export const DEFAULT_LIMIT = 50;
/** The last response, if there is one, and the call that it answers. */
interface FetchedFrom {
  readonly last: CallResponse | undefined;
  readonly target: CallTarget;
}

const NOTHING: PageChange = { query: [], headers: [], body: [] };

/** The number of entries that a node wants: all with `returnAll`, else `limit`; undefined if it sets neither. */
export function wantedEntries(parameters: JsonObject): number | undefined {
  if (parameters['returnAll'] === true) return Infinity;
  const limit = Number(parameters['limit'] ?? Number.NaN);
  return Number.isFinite(limit) && limit >= 0 ? Math.trunc(limit) : undefined;
}

/** A value in a response: of a path into its body, or of a template. */
export function valueIn(place: Template | string, { root }: CallResponse, { scope }: CallTarget): Json | undefined {
  return place instanceof Template ? place.json(scope.with({ $response: root })) : valueAtPath(root.body, place);
}

/**
 * The entries of a list in a response.
 * @throws NodeFailure if there is no array
 */
export function entriesOf(list: Template | string, response: CallResponse, target: CallTarget): readonly Json[] {
  const value = valueIn(list, response, target);
  if (Array.isArray(value)) return value;
  if (value === undefined || value === null) return [];
  throw new NodeFailure(`${target.run.app.label} answered without a list where the app expects one.`, {
    itemIndex: target.itemIndex,
  });
}

/**
 * Fetches a list page by page, up to the number of entries that the node wants.
 * @throws NodeFailure as `sendCall` and `fetchPages` do
 */
export async function fetchList(
  request: PreparedRequest,
  first: RequestSettings,
  pages: PreparedPages,
  list: Template | string,
  target: CallTarget,
  wanted: number,
): Promise<Json[]> {
  const entries: Json[] = [];
  let last: CallResponse | undefined;
  let lastCount = 0;
  const { context } = target.run;
  await fetchPages({
    first,
    maxPages: MAX_PAGES,
    intervalMs: 0,
    itemIndex: target.itemIndex,
    change: (page, fetched) => changeOf(pages, page, fetched, { last, target }, entries.length, wanted),
    accepts: () => true,
    isComplete: () => entries.length >= wanted || !hasNext(pages, { last, target }, lastCount),
    send: async (settings): Promise<OutboundResponse> => {
      last = await sendCall(request, settings, target);
      return last.response;
    },
    read: async (response): Promise<ReadResponse> => {
      const added = last === undefined ? [] : entriesOf(list, last, target);
      lastCount = added.length;
      entries.push(...added);
      return { kind: 'json', response, body: null };
    },
    failure: () => new NodeFailure('The page could not be fetched.'),
    sleep: (ms) => context.ports.clock.sleep(ms, context.signal),
  });
  return entries.slice(0, wanted);
}

function changeOf(
  pages: PreparedPages,
  page: number,
  fetched: FetchedPage | undefined,
  from: FetchedFrom,
  count: number,
  wanted: number,
): PageChange {
  const { into, max } = pages.size ?? { max: 0 };
  const size = into === undefined ? [] : [sent(into, Math.min(max, wanted - count))];
  const value = valueOf(pages, page, from, count);
  if (fetched !== undefined && (pages.by === 'nextUrl' || pages.by === 'linkHeader'))
    return { ...NOTHING, url: new URL(typeof value === 'string' ? value : '', fetched.request.url).href };
  const all = [...size, ...(pages.into === undefined || value === undefined ? [] : [sent(pages.into, value)])];
  const of = (place: string): Fields => all.filter(([where]) => where === place).map(([, name, one]) => [name, one]);
  return { query: of('query'), headers: [], body: of('body') };
}

function sent(target: string, value: Json): readonly [place: string, name: string, value: Json] {
  const dot = target.indexOf('.');
  return [target.slice(0, dot), target.slice(dot + 1), value];
}

function valueOf(pages: PreparedPages, page: number, { last, target }: FetchedFrom, count: number): Json | undefined {
  switch (pages.by) {
    case 'page':
      return (pages.start ?? 1) + page;
    case 'offset':
      return count;
    case 'cursor':
    case 'nextUrl':
    case 'linkHeader':
      return last === undefined ? undefined : nextOf(pages, last, target);
  }
}

function hasNext(pages: PreparedPages, { last, target }: FetchedFrom, lastCount: number): boolean {
  if (last === undefined) return false;
  switch (pages.by) {
    case 'page':
    case 'offset':
      return lastCount > 0 && (pages.size === undefined || lastCount >= pages.size.max);
    case 'cursor':
    case 'nextUrl':
    case 'linkHeader':
      return nextOf(pages, last, target) !== undefined;
  }
}

/** The cursor or URL of the next page; undefined after the last one. */
export function nextOf(pages: PreparedPages, last: CallResponse, target: CallTarget): Json | undefined {
  if (pages.by === 'linkHeader') return nextLink(last.response.headers['link']);
  if (pages.more !== undefined && valueAtPath(last.root.body, pages.more) !== true) return undefined;
  const value = valueIn(pages.next ?? '', last, target);
  return value === null || value === '' || value === false || isJsonObject(value) ? undefined : value;
}

function nextLink(header: string | readonly string[] | undefined): string | undefined {
  for (const link of (typeof header === 'string' ? header : (header ?? []).join(',')).split(',')) {
    const [address = '', ...attributes] = link.split(';').map((part) => part.trim());
    const isNext = attributes.some((one) => one === 'rel=next' || one === 'rel="next"');
    if (isNext && address.startsWith('<') && address.endsWith('>')) return address.slice(1, -1);
  }
  return undefined;
}
