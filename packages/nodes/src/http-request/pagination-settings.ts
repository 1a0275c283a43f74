import type { Json } from '@weft/node-catalogue';
import { NodeFailure } from '@weft/engine';
import type { PageChange } from '../shared/http/pages/fetch-pages';
import { textOf } from '../shared/http/request/read-fields';
import type { PageRoots, Parameters, Read } from '../shared/http/settings';

/** Condition for the end of a list of pages. */
export type Completion = 'responseIsEmpty' | 'receiveSpecificStatusCodes' | 'other';

/** Settings for requesting further pages. Values that depend on the last response are read again for every page. */
export interface PaginationSettings {
  readonly mode: 'updateAParameterInEachRequest' | 'responseContainsNextURL';
  readonly completion: Completion;
  /** Statuses that complete the list. */
  readonly completeStatuses: readonly number[];
  readonly maxPages: number;
  /** Milliseconds between two pages. */
  readonly intervalMs: number;
}

/** Maximum number of pages: a longer list is assumed to be endless. */
const MAX_PAGES = 5_000;
const MAX_INTERVAL_MS = 3_600_000;
const AT = 'options.pagination.pagination';

/** Maximum number of changed parameters; further ones are ignored. */
const MAX_ENTRIES = 100;

/** Reads the pagination from the parameters; undefined for none. */
export function readPagination({ read, isSet }: Parameters): PaginationSettings | undefined {
  if (!isSet(AT)) return undefined;
  const mode = read(`${AT}.paginationMode`);
  if (mode === 'off') return undefined;
  const completion = read(`${AT}.paginationCompleteWhen`);
  const given = read(`${AT}.limitPagesFetched`) === true ? Number(read(`${AT}.maxRequests`) ?? 100) : MAX_PAGES;
  return {
    mode: mode === 'responseContainsNextURL' ? 'responseContainsNextURL' : 'updateAParameterInEachRequest',
    completion: completion === 'receiveSpecificStatusCodes' || completion === 'other' ? completion : 'responseIsEmpty',
    completeStatuses: textOf(read(`${AT}.statusCodesWhenComplete`) ?? '')
      .split(',')
      .map((code) => Number(code.trim()))
      .filter((code) => code > 0),
    maxPages: Number.isFinite(given) && given >= 1 ? Math.min(Math.trunc(given), MAX_PAGES) : MAX_PAGES,
    intervalMs: Math.min(Math.max(Number(read(`${AT}.requestInterval`) ?? 0) || 0, 0), MAX_INTERVAL_MS),
  };
}

/**
 * Changes to the request for page number `page`, from 0. For the first page there is no response yet, so values that
 * need one are left out.
 * @throws NodeFailure if an expression fails on a later page, and for an entry without a name
 */
export function readPageChange(
  parameters: Parameters,
  settings: PaginationSettings,
  page: number,
  roots: PageRoots,
): PageChange {
  const { read, isSet } = parameters;
  if (settings.mode === 'responseContainsNextURL') {
    return {
      query: [],
      headers: [],
      body: [],
      ...(page === 0 ? {} : { url: textOf(read(`${AT}.nextURL`, roots) ?? '') }),
    };
  }
  const change: Record<'query' | 'headers' | 'body', [string, Json][]> = { query: [], headers: [], body: [] };
  for (let index = 0; index < MAX_ENTRIES && isSet(`${AT}.parameters.parameters.${index}`); index += 1) {
    const entry = `${AT}.parameters.parameters.${index}`;
    const name = textOf(read(`${entry}.name`, roots) ?? '');
    if (name === '') throw new NodeFailure(`Parameter ${index + 1} of the pagination settings has no name.`);
    const value = readValue(read, `${entry}.value`, page, roots);
    const type = read(`${entry}.type`) ?? 'qs';
    if (value !== undefined && value !== null && value !== '')
      change[type === 'headers' || type === 'body' ? type : 'query'].push([name, value]);
  }
  return change;
}

function readValue(read: Read, path: string, page: number, roots: PageRoots): Json | undefined {
  try {
    return read(path, roots);
  } catch (error) {
    if (page > 0) throw error;
    return undefined;
  }
}

/** True if the completion expression of `other` holds. */
export function saysComplete({ read }: Parameters, roots: PageRoots): boolean {
  const value = read(`${AT}.completeExpression`, roots);
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}
