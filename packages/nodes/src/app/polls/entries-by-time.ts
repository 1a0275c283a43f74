import { isJsonObject, type Json, type JsonObject } from '@weft/node-catalogue';

/** Maximum number of entries in one run. */
export const MAX_EVENTS = 500;

/** Services refuse to list what is older than some weeks: without entries, the state follows at this distance. */
const MAX_AGE_MS = 24 * 3_600_000;

/** An entry of a list. */
export interface TimedEntry {
  readonly key: string;
  /** Unix milliseconds; not a number: unknown. */
  readonly at: number;
}

/** State of a list whose entries have times. */
export interface TimedState {
  /** Unix milliseconds of the newest known entry. */
  readonly since: number;
  /** Keys of the known entries of that time. */
  readonly keys: readonly string[];
}

/** Reads a state; undefined: the list was not polled yet. */
export function readTimedState(state: Json | undefined): TimedState | undefined {
  if (!isJsonObject(state) || typeof state['since'] !== 'number') return undefined;
  const keys = Array.isArray(state['keys']) ? state['keys'].filter((key) => typeof key === 'string') : [];
  return { since: state['since'], keys };
}

/** Finds entries that are newer than the state, and not of the future. A known key counts at the time of the state. */
export function newSince({ since, keys }: TimedState, now: number): (entry: TimedEntry) => boolean {
  const known = new Set(keys);
  return ({ at, key }) => at <= now && (at > since || (at === since && !known.has(key)));
}

/** The newest entry of each key. */
function newestByKey<Entry extends TimedEntry>(entries: readonly Entry[]): readonly Entry[] {
  const newest = new Map<string, Entry>();
  for (const entry of entries) if (!(entry.at <= (newest.get(entry.key)?.at ?? NaN))) newest.set(entry.key, entry);
  return [...newest.values()];
}

/** Which entries are given, and how many are taken. */
export interface TakenEntries {
  /** Maximum number of entries in the run. */
  readonly max?: number;
  /** True if newer entries were left out. */
  readonly isPart?: boolean;
}

/**
 * The entries that are new since the state, the newest first, and the next state. More than fit into one run are left
 * to the next poll, the newest of them. Entries of the future are not new yet.
 * @param now Unix milliseconds
 */
export function newByTime<Entry extends TimedEntry>(
  entries: readonly Entry[],
  state: TimedState,
  now: number,
  { max = MAX_EVENTS, isPart = false }: TakenEntries = {},
): { readonly events: readonly Entry[]; readonly next: JsonObject } {
  const { since, keys } = state;
  const found = newestByKey(entries.filter(newSince(state, now)));
  const taken = found.toSorted((one, other) => one.at - other.at).slice(0, max);
  const oldest = isPart || found.length > taken.length ? since : Math.max(since, now - MAX_AGE_MS);
  const last = taken.reduce((most, { at }) => Math.max(most, at), oldest);
  const before = last === since ? keys : [];
  return {
    events: taken.toReversed(),
    next: { since: last, keys: [...before, ...taken.filter(({ at }) => at === last).map(({ key }) => key)] },
  };
}
