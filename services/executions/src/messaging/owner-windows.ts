/** An execution that is to be announced to the runners. */
export interface Announcement {
  readonly id: string;
  readonly dedupeId: string;
  /** Absent: it is announced at once. */
  readonly ownerId?: string;
}

/** An announcement that is sent. */
export interface Admitted extends Announcement {
  /**
   * Its owner has many announced executions: it goes into the overflow queue, in which only such runs wait for each
   * other.
   */
  readonly overflows: boolean;
}

/** Limits the announced executions of each owner. The others of that owner wait, first come first served. */
export interface OwnerWindows {
  /** Returns the announcements that may be sent now: the given one, or none while its owner has enough. */
  readonly admit: (announcement: Announcement) => readonly Admitted[];
  /** Runners have claimed these, or found them missing. @returns announcements that may be sent instead */
  readonly taken: (ids: readonly string[]) => readonly Admitted[];
  /**
   * Gives up on announcements that no runner claimed in time: their messages are lost, or wait for busy runners.
   * @returns announcements that may be sent instead
   */
  readonly expire: () => readonly Admitted[];
  /**
   * An owner has many executions in a saturated runner: it overflows for a while, like one with many announced
   * executions.
   */
  readonly noteSaturating: (ownerId: string) => void;
  /** True for a while after `noteSaturating`. */
  readonly isSaturating: (ownerId: string) => boolean;
  /** Number of announcements that wait here. */
  readonly waiting: () => number;
  /** True if announcements of an owner wait here. */
  readonly holdsBack: (ownerId: string) => boolean;
  /** True if an owner overflows, or did since all of its executions were claimed. */
  readonly overflows: (ownerId: string) => boolean;
}

/** Limits of the windows. */
export interface WindowBounds {
  /** Maximum announced executions of one owner. */
  readonly size: number;
  /** An owner with this many announced executions overflows. */
  readonly overflowAt: number;
  /** Milliseconds for which it continues to overflow after it last had this many. */
  readonly overflowMs: number;
  /** Maximum number of waiting executions; the rest is left to the sweeper. */
  readonly maxWaiting: number;
  /** Milliseconds after which an announcement counts as claimed. */
  readonly expireMs: number;
}

interface Window {
  /** Time at which each was sent. */
  readonly open: Map<string, number>;
  readonly waiting: Map<string, Announcement>;
  /** Time until which it overflows. */
  overflowUntil: number;
  /** Time until which it counts as having many executions in a saturated runner. */
  saturatingUntil: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
/** Number of owners beyond which hints about further ones are ignored. */
const MAX_OWNERS = 10_000;

/**
 * Windows, initially empty. A window is removed when its owner has no open or waiting announcements and no longer
 * overflows.
 */
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
      saturatingUntil: NEVER,
    };
    windows.set(ownerId, window);
    return window;
  };
  return {
    admit: (announcement) => {
      const { id, ownerId } = announcement;
      if (ownerId === undefined) return [{ ...announcement, overflows: false }];
      const window = windowOf(ownerId);
      // Announced again: the previous message was lost.
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
      // Times increase within a window, so only expired ones are read.
      return [...windows].flatMap(([owner, window]) => {
        const ready = fill(owner, window);
        for (const [id, since] of [...window.open]) {
          if (since > before) break;
          ready.push(...close(owner, window, id));
        }
        return ready;
      });
    },
    noteSaturating: (ownerId) => {
      if (windows.size >= MAX_OWNERS && !windows.has(ownerId)) return;
      const window = windowOf(ownerId);
      window.overflowUntil = now() + overflowMs;
      window.saturatingUntil = window.overflowUntil;
    },
    isSaturating: (ownerId) => now() < (windows.get(ownerId)?.saturatingUntil ?? NEVER),
    waiting: () => waiting,
    holdsBack: (ownerId) => (windows.get(ownerId)?.waiting.size ?? 0) > 0,
    overflows: (ownerId) => (windows.get(ownerId)?.overflowUntil ?? NEVER) > NEVER,
  };
};
