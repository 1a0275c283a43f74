/** An execution that is to be announced to the runners. */
export interface Announcement {
  readonly id: string;
  readonly dedupeId: string;
  /** Absent: it goes out at once. */
  readonly ownerId?: string;
}

/** An announcement that goes out. */
export interface Admitted extends Announcement {
  /** Its owner has many before the runners: it goes into the queue in which only such runs wait for each other. */
  readonly overflows: boolean;
}

/**
 * Limits how many executions of each owner are before the runners at once. The others of that owner wait, first come
 * first served.
 */
export interface OwnerWindows {
  /** Announcements that may go out now: the given one, or none while its owner has enough before the runners. */
  readonly admit: (announcement: Announcement) => readonly Admitted[];
  /** Runners have taken these, or learned that they are gone. @returns what may go out instead of them */
  readonly taken: (ids: readonly string[]) => readonly Admitted[];
  /**
   * Gives up on announcements that no runner took in time: their messages are lost, or wait for runners that are busy.
   * @returns what may go out instead of them
   */
  readonly expire: () => readonly Admitted[];
  /** An owner has many in a runner that is full: it overflows for a while, like one who has many before the runners. */
  readonly crowd: (ownerId: string) => void;
  /** True for a while after `crowd`. */
  readonly isCrowded: (ownerId: string) => boolean;
  /** Announcements that wait here. */
  readonly waiting: () => number;
  /** True if announcements of an owner wait here. */
  readonly holdsBack: (ownerId: string) => boolean;
  /** True if an owner overflows, or did since all of it were taken. */
  readonly overflows: (ownerId: string) => boolean;
}

/** Bounds of the windows. */
export interface WindowBounds {
  /** Executions of one owner that are before the runners. */
  readonly size: number;
  /** An owner who has so many of them overflows. */
  readonly overflowAt: number;
  /** Milliseconds for which it goes on to, after it had so many the last time. */
  readonly overflowMs: number;
  /** Executions that wait here in all; what is beyond is left to the sweeper. */
  readonly maxWaiting: number;
  /** Milliseconds after which an announcement counts as taken. */
  readonly expireMs: number;
}

interface Window {
  /** Time at which each went out. */
  readonly open: Map<string, number>;
  readonly waiting: Map<string, Announcement>;
  /** Time until which it overflows. */
  overflowUntil: number;
  /** Time until which it has many in a full runner. */
  crowdedUntil: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
/** Owners beyond which hints about further ones are ignored. */
const MAX_OWNERS = 10_000;

/** Windows that start empty. A window goes when nothing of its owner is open or waits, and it overflows no more. */
export const createOwnerWindows = (
  { size, overflowAt, overflowMs, maxWaiting, expireMs }: WindowBounds,
  now: () => number,
): OwnerWindows => {
  const windows = new Map<string, Window>();
  const ownerOf = new Map<string, string>();
  let waiting = 0;

  const overflows = (window: Window): boolean => {
    if (window.open.size >= overflowAt) window.overflowUntil = now() + overflowMs;
    return now() < window.overflowUntil;
  };
  const fill = (owner: string, window: Window): Admitted[] => {
    const ready: Admitted[] = [];
    for (const [id, announcement] of window.waiting) {
      if (window.open.size >= size) break;
      window.waiting.delete(id);
      waiting -= 1;
      ready.push({ ...announcement, overflows: overflows(window) });
      window.open.set(id, now());
      ownerOf.set(id, owner);
    }
    if (window.open.size === 0 && window.waiting.size === 0 && now() >= window.overflowUntil) windows.delete(owner);
    return ready;
  };
  const close = (owner: string, window: Window, id: string): Admitted[] => {
    window.open.delete(id);
    ownerOf.delete(id);
    return fill(owner, window);
  };
  const windowOf = (ownerId: string): Window => {
    const window = windows.get(ownerId) ?? {
      open: new Map<string, number>(),
      waiting: new Map<string, Announcement>(),
      overflowUntil: NEVER,
      crowdedUntil: NEVER,
    };
    windows.set(ownerId, window);
    return window;
  };
  return {
    admit: (announcement) => {
      const { id, ownerId } = announcement;
      if (ownerId === undefined) return [{ ...announcement, overflows: false }];
      const window = windowOf(ownerId);
      // Announced again: the message before was lost.
      if (window.open.has(id)) return [{ ...announcement, overflows: overflows(window) }];
      if (!window.waiting.has(id)) {
        if (window.open.size >= size && waiting >= maxWaiting) return [];
        waiting += 1;
      }
      window.waiting.set(id, announcement);
      return fill(ownerId, window);
    },
    taken: (ids) =>
      ids.flatMap((id) => {
        const owner = ownerOf.get(id);
        const window = owner === undefined ? undefined : windows.get(owner);
        return owner === undefined || window === undefined ? [] : close(owner, window, id);
      }),
    expire: () => {
      const before = now() - expireMs;
      // Times grow within a window, so that only those that are over are read.
      return [...windows].flatMap(([owner, window]) => {
        const ready = fill(owner, window);
        for (const [id, since] of [...window.open]) {
          if (since > before) break;
          ready.push(...close(owner, window, id));
        }
        return ready;
      });
    },
    crowd: (ownerId) => {
      if (windows.size >= MAX_OWNERS && !windows.has(ownerId)) return;
      const window = windowOf(ownerId);
      window.overflowUntil = now() + overflowMs;
      window.crowdedUntil = window.overflowUntil;
    },
    isCrowded: (ownerId) => now() < (windows.get(ownerId)?.crowdedUntil ?? NEVER),
    waiting: () => waiting,
    holdsBack: (ownerId) => (windows.get(ownerId)?.waiting.size ?? 0) > 0,
    overflows: (ownerId) => (windows.get(ownerId)?.overflowUntil ?? NEVER) > NEVER,
  };
};
