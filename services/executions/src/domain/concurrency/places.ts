import { setTimeout } from 'node:timers/promises';
import { Unavailable } from '@weft/service-kit/errors';
import type { EndedExecution, ExecutionRecord } from '../execution';
import { admitWrite } from '../free-writes';
import type { ApplyWrite, Clock, Publish } from '../ports';

/** An execution that waits for a place. */
export type HeldExecution = Pick<ExecutionRecord, '_id' | 'ownerId' | 'generation' | 'concurrency'>;

/** Who has the places of a key. Changed by compare-and-set only. */
export interface Places {
  /** Grows with every change; 0: nobody has one. */
  readonly rev: number;
  /** In the order in which they came. */
  readonly holders: readonly string[];
}

/** Where places are kept. */
export interface PlaceStore {
  readonly read: (placeId: string) => Promise<Places>;
  /** False if somebody else was faster. Without holders the places are forgotten. @throws Unavailable */
  readonly change: (placeId: string, rev: number, holders: readonly string[]) => Promise<boolean>;
  /** Executions that wait for a place, the oldest first. @throws Unavailable */
  readonly findHeld: (placeId: string, most: number) => Promise<readonly HeldExecution[]>;
  /** Places that executions wait for, behind a given one. @throws Unavailable */
  readonly findAwaited: (after: string, most: number) => Promise<readonly string[]>;
  /** Those of the executions that have not ended. @throws Unavailable */
  readonly findLive: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
}

/** What giving out places needs. */
export interface PlacePorts {
  readonly places: PlaceStore;
  readonly apply: ApplyWrite;
  readonly publish: Publish;
  readonly clock: Clock;
}

/** How often a change is tried while others change the same places. */
const TRIES = 50;
const MAX_PAUSE_MS = 50;

/** The places changed under every try: so many executions of one key move at once that this one has to come again. */
export class PlacesBusy extends Unavailable {
  constructor() {
    super('The places of this concurrency key are changing too fast.', undefined, 1);
  }
}

/**
 * Changes who has the places; `next` undefined: nothing is to be changed.
 * @returns the holders afterwards
 * @throws PlacesBusy, Unavailable
 */
export const changePlaces = async (
  placeId: string,
  places: PlaceStore,
  next: (now: Places) => readonly string[] | undefined | Promise<readonly string[] | undefined>,
): Promise<readonly string[]> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const now = await places.read(placeId);
    const holders = await next(now);
    if (holders === undefined) return now.holders;
    if (await places.change(placeId, now.rev, holders)) return holders;
    await setTimeout(Math.random() * MAX_PAUSE_MS);
  }
  throw new PlacesBusy();
};

/** Executions looked at in one go. */
const PAGE = 50;

/** Without those that have ended: an execution frees its place by what follows its end, which may be late. */
export const withoutEnded = async ({ holders }: Places, places: PlaceStore): Promise<readonly string[]> => {
  const live = holders.length === 0 ? new Set<string>() : await places.findLive(holders);
  return holders.filter((id) => live.has(id));
};

const letIn = async (held: HeldExecution, placeId: string, { apply, publish, clock }: PlacePorts): Promise<void> => {
  const { outcome } = await apply(held._id, admitWrite(placeId, new Date(clock())));
  if (outcome === 'applied') publish(held._id, `${held.generation + 1}`, held.ownerId);
};

/**
 * Gives free places to the executions that wait longest. Safe to repeat, also at the same time elsewhere.
 * @throws PlacesBusy, Unavailable
 */
export const fillPlaces = async (placeId: string, ports: PlacePorts): Promise<void> => {
  for (let more = true; more;) {
    const held = await ports.places.findHeld(placeId, PAGE);
    if (held.length === 0) return;
    let added = 0;
    const holders = await changePlaces(placeId, ports.places, async (now) => {
      const kept = await withoutEnded(now, ports.places);
      const next = [...kept];
      for (const { _id, concurrency } of held) {
        if (next.includes(_id)) continue;
        if (next.length >= (concurrency?.limit ?? 1)) break;
        next.push(_id);
      }
      added = next.length - kept.length;
      return added === 0 && kept.length === now.holders.length ? undefined : next;
    });
    const ready = held.filter(({ _id }) => holders.includes(_id));
    for (const one of ready) await letIn(one, placeId, ports);
    more = added === PAGE;
  }
};

/**
 * Frees the place of an execution that has ended, for the one that waits longest. Safe to repeat.
 * @throws PlacesBusy, Unavailable
 */
export type FreePlace = (ended: Pick<EndedExecution, '_id' | 'concurrency'>) => Promise<void>;

/** Frees places. */
export const createFreePlace =
  (ports: PlacePorts): FreePlace =>
  async ({ _id, concurrency }) => {
    const placeId = concurrency?.placeId;
    if (placeId === undefined) return;
    await changePlaces(placeId, ports.places, ({ holders }) =>
      holders.includes(_id) ? holders.filter((id) => id !== _id) : undefined,
    );
    await fillPlaces(placeId, ports);
  };

/** Looks after places that executions wait for, in case that whoever had to give one on died. One page a call. */
export const createLookAfterPlaces = (ports: PlacePorts) => {
  let after = '';
  return async (): Promise<boolean> => {
    const awaited = await ports.places.findAwaited(after, PAGE);
    for (const placeId of awaited) await fillPlaces(placeId, ports);
    after = awaited.length === PAGE ? (awaited.at(-1) ?? '') : '';
    return after !== '';
  };
};
