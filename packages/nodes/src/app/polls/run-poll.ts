import { isJsonObject, type Json } from '@weft/node-catalogue';
import { type Item, type NodeContext, NodeFailure, type NodeResult } from '@weft/engine';
import { createHash } from 'node:crypto';
import { poll } from '../../shared/polling/poll';
import { type LoadedApp, newAppRun } from '../app-run';
import { buildCall } from '../build-call';
import { chooseCredential } from '../choose-credential';
import { entriesOf, fetchList } from '../fetch-list';
import { ParameterReader } from '../read-parameters';
import { outerScope } from '../run-operation';
import type { ItemTarget } from '../steps/run-item-steps';
import { runSteps } from '../steps/run-steps';
import { LongDelay, sendCall } from '../send-call';
import type { Roots } from '../template-scope';
import { type Candidate, completeEntry, completeSince } from './complete-entries';
import {
  changedByPlace,
  type ChangedEntry,
  hashesOf,
  MAX_ENTRIES,
  placedStateJson,
  readPlacedState,
  type WantedChanges,
} from './entries-by-place';
import { MAX_EVENTS, newByTime, newSince, readTimedState, type TimedState } from './entries-by-time';
import type { PreparedPoll } from './prepare-poll';

/** Entries of one poll that are read; a longer list is read in part. */
const MAX_LISTED = MAX_ENTRIES + 1;
const NO_ROOTS: Roots = {};

/** A list as it was fetched. */
interface Listed {
  readonly entries: readonly Json[];
  /** Digest of the address. */
  readonly source: string;
  readonly target: ItemTarget;
}

/** Runs the polling trigger of an app. @throws NodeFailure if the service cannot be polled */
export function runPoll(context: NodeContext, loaded: LoadedApp, prepared: PreparedPoll): Promise<NodeResult> {
  const poller = new Poller(context, loaded, prepared);
  return poll(context, {
    ask: ({ state }, commit) =>
      poller.within(async () => {
        const { items, next } =
          prepared.newest === undefined ? await poller.changed(state) : await poller.since(state, prepared.newest);
        await commit({ hasEvents: items.length > 0, next });
        return items;
      }),
    preview: () => poller.within(() => poller.preview()),
  });
}

class Poller {
  readonly #context: NodeContext;
  readonly #loaded: LoadedApp;
  readonly #poll: PreparedPoll;

  constructor(context: NodeContext, loaded: LoadedApp, prepared: PreparedPoll) {
    this.#context = context;
    this.#loaded = loaded;
    this.#poll = prepared;
  }

  /** A long delay fails the poll: the next one is later anyway. */
  async within<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (thrown) {
      throw thrown instanceof LongDelay ? thrown.failure : thrown;
    }
  }

  /** The items of entries since the newest known one. The first poll knows all that exist. */
  async since(state: Json | undefined, newest: TimedTemplate): Promise<Found> {
    const now = this.#context.ports.clock.now();
    const before = readTimedState(state);
    if (before === undefined) return { items: [], next: { since: now, keys: [] } };
    const { entries, target } = await this.#list({ $since: before.since });
    const timeOf = ({ scope }: ItemTarget): Json | undefined => newest.json(scope);
    const isInList = this.#poll.each.length === 0 || !newest.names.has('$steps');
    const keyed = await this.#each(entries, (json, index): Candidate => {
      const own = { ...target, scope: target.scope.with({ $entry: json, $index: index }) };
      const time = isInList ? { at: Number(timeOf(own) ?? NaN) } : {};
      return { key: String(this.#poll.key.json(own.scope)), ...time, target: own, files: {} };
    });
    const candidates = keyed.filter(mayBeNew(before, now));
    const max = maxOf(this.#poll.max?.json(target.scope));
    const bounds = { since: before.since, now, max, maxCompleted: MAX_EVENTS };
    const timed = await completeSince(this.#poll.each, candidates, timeOf, bounds);
    const { events, next } = newByTime(timed, before, now, { max, isPart: timed.length < candidates.length });
    return { items: events.flatMap((one) => this.#itemsOf(one)), next };
  }

  /** The items of entries that differ from those at the same place before. */
  async changed(state: Json | undefined): Promise<Found> {
    const { entries, source, target } = await this.#list(NO_ROOTS);
    const hashes = hashesOf(
      await this.#each(entries, (json, index) =>
        JSON.stringify(this.#poll.key.json(target.scope.with({ $entry: json, $index: index })) ?? null),
      ),
    );
    const before = readPlacedState(state, source);
    if (before === undefined) return { items: [], next: placedStateJson({ source, hashes }) };
    const wanted = wantedOf(this.#poll.changes?.text(target.scope));
    const { events, next } = changedByPlace(before.hashes, hashes, wanted, (index) => isEmpty(entries[index] ?? null));
    return { items: await this.#completed(events, entries, target), next: placedStateJson({ source, hashes: next }) };
  }

  /** The newest entry, or the entries of a list without times. */
  async preview(): Promise<readonly Item[]> {
    const wanted = this.#poll.newest === undefined ? MAX_EVENTS : 1;
    const { entries, target } = await this.#list({ $since: undefined }, wanted);
    const shown = entries.slice(0, wanted).map((_, index): ChangedEntry => ({ index, change: 'added' }));
    const filled = shown.filter(({ index }) => !isEmpty(entries[index] ?? null));
    return this.#completed(filled, entries, target);
  }

  async #list(roots: Roots, wanted = MAX_LISTED): Promise<Listed> {
    const context = this.#context;
    const run = newAppRun(this.#loaded, context);
    const parameters = new ParameterReader(context, run.descriptor).read(0);
    const credential = await chooseCredential(run, parameters.values);
    const first = outerScope(parameters, run, 0, credential?.publicFields ?? {}, roots).withLet(this.#poll.let);
    const before = { run, itemIndex: 0, scope: first, credential };
    const target: ItemTarget = { ...before, scope: (await runSteps(this.#poll.steps, before)).scope };
    const { request, pages, list } = this.#poll;
    const settings = buildCall(request, target);
    const source = createHash('sha256').update(settings.url).digest('base64url').slice(0, 16);
    if (pages !== undefined)
      return { entries: await fetchList(request, settings, pages, list, target, wanted), source, target };
    const response = await sendCall(request, settings, target);
    const scope = target.scope.with({ $response: response.root });
    return { entries: entriesOf(list, response, target), source, target: { ...target, scope } };
  }

  async #each<Result>(entries: readonly Json[], read: (json: Json, index: number) => Result): Promise<Result[]> {
    const results: Result[] = [];
    for (const [index, json] of entries.entries()) {
      results.push(read(json, index));
      await this.#context.pause();
    }
    return results;
  }

  /** The items of an entry; none if it is not accepted. */
  #itemsOf({ target: { scope }, files }: Candidate): Item[] {
    const { accept, item } = this.#poll;
    if (accept?.holds(scope) === false) return [];
    const value = item === undefined ? scope.extra['$entry'] : item.json(scope);
    const json = isJsonObject(value) ? value : { data: value ?? null };
    return [Object.keys(files).length === 0 ? { json } : { json, binary: files }];
  }

  /** The items of entries at places of the list, with the details of each. */
  async #completed(places: readonly ChangedEntry[], entries: readonly Json[], target: ItemTarget): Promise<Item[]> {
    const items: Item[] = [];
    for (const place of places) {
      const scope = target.scope.with(rootsOf(place, entries));
      const candidate = { key: '', target: { ...target, scope }, files: {} };
      items.push(...this.#itemsOf(await completeEntry(this.#poll.each, candidate)));
    }
    return items;
  }
}

/** Items of new entries, and the state that makes them known. */
interface Found {
  readonly items: readonly Item[];
  readonly next: Json;
}

/**
 * Finds entries that must be completed: those that are new by their time or, if only their details have one, those
 * whose key is not known. The time of such an entry never changes, as that of a mail.
 */
function mayBeNew(state: TimedState, now: number): (entry: Candidate) => boolean {
  const isNew = newSince(state, now);
  const known = new Set(state.keys);
  return ({ key, at }) => (at === undefined ? !known.has(key) : isNew({ key, at }));
}

type TimedTemplate = NonNullable<PreparedPoll['newest']>;

const rootsOf = ({ index, change }: ChangedEntry, entries: readonly Json[]): Roots => ({
  $entry: entries[index] ?? null,
  $index: index,
  $change: change,
});

/** The maximum number of entries of a run. */
function maxOf(given: Json | undefined): number {
  const max = Math.floor(Number(given ?? MAX_EVENTS));
  return Number.isNaN(max) ? MAX_EVENTS : Math.min(Math.max(max, 1), MAX_EVENTS);
}

/** True for an entry without content, such as an empty row. */
function isEmpty(entry: Json): boolean {
  if (Array.isArray(entry)) return entry.every((cell) => cell === '' || cell === null);
  return entry === null || entry === '';
}

/** @throws NodeFailure for a value that the app does not know */
function wantedOf(text: string | undefined): WantedChanges {
  if (text === 'added' || text === 'updated' || text === 'both') return text;
  throw new NodeFailure(`The app watches unknown changes: ${String(text).slice(0, 40)}`);
}
