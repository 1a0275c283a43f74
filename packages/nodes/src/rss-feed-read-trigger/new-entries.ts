import { createHash } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';

/** Maximum number of entries in one run. */
export const MAX_EVENTS = 500;
/** Maximum number of entries to consider; further ones are ignored. */
export const MAX_ENTRIES = 10_000;
/** Long enough to avoid collisions, short enough that those of a whole feed fit into the state. */
const DIGEST_CHARACTERS = 16;

interface Entry {
  readonly json: JsonObject;
  /** Unix milliseconds; undefined: it has none. */
  readonly date: number | undefined;
  readonly digest: string;
}

/** State of the polls of a feed. */
interface FeedState {
  /** Digest of the URL: state of another feed is ignored. */
  readonly feed: string;
  /** Unix milliseconds of the newest known entry. */
  readonly last: number;
  /** Digests of the known entries in the feed that are at least that new, or have no date. */
  readonly known: readonly string[];
}

/**
 * Finds the entries that are new since the state: those with a later date, and those with the same date or none whose
 * content is unknown. The first poll finds none and stores the existing entries as known.
 * @param now Unix milliseconds: entries with a later date do not hide those that come before it
 */
export function newEntries(
  feed: readonly JsonObject[],
  state: Json | undefined,
  url: string,
  now: number,
): { readonly events: readonly JsonObject[]; readonly next: JsonObject } {
  const entries = feed.slice(0, MAX_ENTRIES).map(readEntry);
  const feedKey = digestOf(url);
  const before = readState(state, feedKey);
  const known = new Set(before?.known);
  const isCandidate = ({ date }: Entry, last: number): boolean => date === undefined || date >= last;
  const found =
    before === undefined ? [] : entries.filter((entry) => isCandidate(entry, before.last) && !known.has(entry.digest));
  const taken = new Set(found.length <= MAX_EVENTS ? found : oldestOf(found));
  const seen = before === undefined || taken.size === found.length ? entries : [...taken];
  const last = seen.reduce(
    (most, { date }) => (date === undefined || date > now ? most : Math.max(most, date)),
    before?.last ?? (entries.some(({ date }) => date !== undefined) ? 0 : now),
  );
  const isKnown = (entry: Entry): boolean => before === undefined || taken.has(entry) || known.has(entry.digest);
  const next = {
    feed: feedKey,
    last,
    known: [...new Set(entries.filter((one) => isCandidate(one, last) && isKnown(one)).map(({ digest }) => digest))],
  };
  return { events: found.filter((entry) => taken.has(entry)).map(({ json }) => json), next };
}

/** The entries by date, the newest first; entries without a date last, in the order of the feed. */
export function newestFirst(feed: readonly JsonObject[]): readonly JsonObject[] {
  return feed
    .slice(0, MAX_ENTRIES)
    .map(readEntry)
    .sort((a, b) => (b.date ?? 0) - (a.date ?? 0))
    .map(({ json }) => json);
}

/** Those that fit into one run. Feeds begin with the newest entry, so among equal dates the last is the oldest. */
function oldestOf(entries: readonly Entry[]): readonly Entry[] {
  return entries
    .toReversed()
    .sort((a, b) => (a.date ?? 0) - (b.date ?? 0))
    .slice(0, MAX_EVENTS);
}

function readEntry(json: JsonObject): Entry {
  const { isoDate, guid, id, link } = json;
  const date = typeof isoDate === 'string' ? Date.parse(isoDate) : NaN;
  const name = [guid, id, link].find((one) => typeof one === 'string' && one !== '');
  const identity = name === undefined ? JSON.stringify(json) : `${JSON.stringify(name)} ${String(isoDate ?? '')}`;
  return { json, date: Number.isNaN(date) ? undefined : date, digest: digestOf(identity) };
}

function readState(state: Json | undefined, feed: string): FeedState | undefined {
  if (!isJsonObject(state) || state['feed'] !== feed || typeof state['last'] !== 'number') return undefined;
  const known = Array.isArray(state['known']) ? state['known'].filter((one) => typeof one === 'string') : [];
  return { feed, last: state['last'], known };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARACTERS);
}
