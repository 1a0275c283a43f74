import { InFlightMap, InFlightSet } from '@weft/service-kit/in-flight';
import { TooManyWaiting } from '../state/errors';
import type { ReadPositions } from './followed-execution';

/** One reader that waits for changes of an execution. */
export interface Follower {
  /** Number of changes noticed so far. Read it before the execution, so that no change is lost. */
  readonly version: () => number;
  /** Reports the position that was read: a poll notices only other ones. */
  readonly saw: (position: string) => void;
  /** Resolves when more changes than `version` were noticed, the time is over, the signal fires or this stops. */
  readonly changed: (version: number, limitMs: number, signal: AbortSignal) => Promise<void>;
  /** Releases the place. Must be called once. */
  readonly leave: () => void;
}

/** All readers that follow executions at this replica. */
export interface Followers {
  /** Takes a place. @param userId empty: a service @throws TooManyWaiting */
  readonly follow: (executionId: string, userId: string) => Follower;
  /** Reports that these executions may have changed. */
  readonly hint: (executionIds: readonly string[]) => void;
  /** The executions that are followed here. */
  readonly ids: () => string[];
  /** Polls executions that are due: a lost hint costs a second, or five after a quiet period. @throws Unavailable */
  readonly poll: () => Promise<void>;
  /** Ends the waits, including later ones: this process stops. */
  readonly stop: () => void;
  readonly isStopping: () => boolean;
}

/** Dependencies of following executions. */
export interface FollowersOptions {
  readonly readPositions: ReadPositions;
  /** An execution that was not followed here is followed now. */
  readonly onFollowed: (executionId: string) => void;
  /** Maximum number of followers. */
  readonly capacity: number;
  /** Maximum number of followers of one user. */
  readonly perUser: number;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
}

const TOO_MANY = 'Too many callers follow executions. End streams that are not needed, or try again later.';

/** Executions in one query. */
const MAX_READ = 500;

/** An execution without changes for this long is polled less often. */
const QUIET_AFTER_MS = 10_000;
const QUIET_POLL_MS = 5_000;
/** Below the interval of the loop that calls `poll`. */
const POLL_MS = 900;

interface Entry {
  readonly waits: InFlightSet<{ readonly wake: () => void }>;
  followers: number;
  version: number;
  position: string | undefined;
  changedAt: number;
  polledAt: number;
}

/** Waits until an entry changes. */
const untilChanged = (entry: Entry, limitMs: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      forget();
      resolve();
    };
    const forget = entry.waits.add({ wake: done });
    const timer = setTimeout(done, limitMs);
    signal.addEventListener('abort', done);
    if (signal.aborted) done();
  });

/** Creates the followers of one replica. */
export const createFollowers = ({
  readPositions,
  onFollowed,
  capacity,
  perUser,
  clock,
}: FollowersOptions): Followers => {
  const entries = new InFlightMap<string, Entry>();
  const users = new Map<string, number>();
  let taken = 0;
  let isStopping = false;

  const change = (entry: Entry): void => {
    entry.version += 1;
    entry.changedAt = clock();
    for (const { wake } of [...entry.waits]) wake();
  };
  const note = (entry: Entry, position: string): void => {
    const known = entry.position;
    entry.position = position;
    if (known !== undefined && known !== position) change(entry);
  };
  const open = (executionId: string): Entry => {
    const known = entries.get(executionId);
    if (known !== undefined) return known;
    const now = clock();
    const entry: Entry = {
      waits: new InFlightSet(),
      followers: 0,
      version: 0,
      position: undefined,
      changedAt: now,
      polledAt: now,
    };
    entries.set(executionId, entry);
    onFollowed(executionId);
    return entry;
  };
  const take = (userId: string): void => {
    const ofUser = users.get(userId) ?? 0;
    if (taken >= capacity || (userId !== '' && ofUser >= perUser)) throw new TooManyWaiting(TOO_MANY);
    taken += 1;
    users.set(userId, ofUser + 1);
  };
  const release = (userId: string): void => {
    taken -= 1;
    const left = (users.get(userId) ?? 1) - 1;
    if (left === 0) users.delete(userId);
    else users.set(userId, left);
  };
  const isDue = ({ changedAt, polledAt }: Entry, now: number): boolean =>
    now - polledAt >= (now - changedAt < QUIET_AFTER_MS ? POLL_MS : QUIET_POLL_MS - (1_000 - POLL_MS));
  return {
    follow: (executionId, userId) => {
      take(userId);
      const entry = open(executionId);
      entry.followers += 1;
      return {
        version: () => entry.version,
        saw: (position) => note(entry, position),
        changed: async (version, limitMs, signal) => {
          if (entry.version === version && !isStopping) await untilChanged(entry, limitMs, signal);
        },
        leave: () => {
          release(userId);
          entry.followers -= 1;
          if (entry.followers === 0) entries.delete(executionId);
        },
      };
    },
    hint: (executionIds) => {
      if (entries.size === 0) return;
      for (const id of executionIds) {
        const entry = entries.get(id);
        if (entry !== undefined) change(entry);
      }
    },
    ids: () => [...entries.keys()],
    poll: async () => {
      const now = clock();
      const due = [...entries.keys()].filter((id) => {
        const entry = entries.get(id);
        return entry !== undefined && isDue(entry, now);
      });
      for (let from = 0; from < due.length; from += MAX_READ) {
        const ids = due.slice(from, from + MAX_READ);
        const found = await readPositions(ids);
        for (const id of ids) {
          const entry = entries.get(id);
          if (entry === undefined) continue;
          entry.polledAt = now;
          note(entry, found.get(id) ?? 'deleted');
        }
      }
    },
    stop: () => {
      isStopping = true;
      for (const entry of [...entries.values()]) change(entry);
    },
    isStopping: () => isStopping,
  };
};
