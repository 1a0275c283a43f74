import { listField, textField } from '@weft/service-kit/json';
import type { Rest, RestAnswer } from '../rest';

/** Lists of the API, and the parts of an entry that have a separate address. */
const LISTS: readonly (readonly [list: string, parts: readonly string[]])[] = [
  ['/workflows', ['', '/schedule', '/backfills']],
  ['/executions?includeData=true', ['', '/events']],
  ['/retry-jobs', ['']],
  ['/event-subscriptions', ['', '/notifications']],
  ['/deliveries', ['']],
  ['/schedules', ['']],
  ['/backfills', ['']],
  ['/credentials', ['', '/grants']],
  ['/variables', ['']],
  ['/data-tables', ['', '/rows']],
  ['/users', ['', '/keys']],
  ['/projects', ['', '/members', '/granted-credentials']],
  ['/apps', ['']],
  ['/keys', []],
  ['/invitations', []],
  ['/audit', []],
];
const UNPAGED = new Set(['/apps', '/keys', '/invitations']);
const MAX_PAGES = 200;

/** Names of the entries of a list in addresses. */
const idsOf = (route: string, { json }: RestAnswer): string[] =>
  listField(json, 'data').flatMap((entry) => textField(entry, route === '/apps' ? 'name' : 'id') ?? []);

/** Routes without entries. */
const SINGLE = ['/me', '/version', '/status'] as const;

/** Lists, and routes without entries, that this module reads; a test compares them with the route table. */
export const READ_LISTS: readonly string[] = [...LISTS.map(([list]) => list.replace(/\?.*$/, '')), ...SINGLE];

/** All lists of the API, page by page, and each of their entries: the answers by their address. */
export const readEverything = async (rest: Rest): Promise<ReadonlyMap<string, string>> => {
  const texts = new Map<string, string>();
  const get = async (path: string): Promise<RestAnswer> => {
    const answer = await rest('GET', path);
    texts.set(path, answer.text);
    return answer;
  };
  for (const [list, parts] of LISTS) {
    const [route = ''] = list.split('?');
    const isPaged = !UNPAGED.has(route);
    let cursor: string | null | undefined;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const query = new URLSearchParams(list.split('?')[1]);
      if (isPaged) query.set('limit', '100');
      if (typeof cursor === 'string') query.set('cursor', cursor);
      const answer = await get(query.size === 0 ? route : `${route}?${query.toString()}`);
      for (const id of idsOf(route, answer)) for (const part of parts) await get(`${route}/${id}${part}`);
      cursor = answer.json.nextCursor;
      if (typeof cursor !== 'string') break;
    }
  }
  for (const path of SINGLE) await get(path);
  return texts;
};
