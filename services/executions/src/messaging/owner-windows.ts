/** An execution that is to be announced to the runners. */
export interface Announcement {
  readonly id: string;
  readonly dedupeId: string;
  /** Absent: it goes out at once. */
  readonly ownerId?: string;
}

/**
 * Limits how many executions of each owner are before the runners at once. The others of that owner wait, first come
 * first served.
 */
export interface OwnerWindows {
  /** Announcements that may go out now: the given one, or none while its owner has enough before the runners. */
  readonly admit: (announcement: Announcement) => readonly Announcement[];
  /** Runners have taken these, or learned that they are gone. @returns what may go out instead of them */
  readonly taken: (ids: readonly string[]) => readonly Announcement[];
  /**
   * Gives up on announcements that no runner took in time: their messages are lost, or wait for runners that are busy.
   * @returns what may go out instead of them
   */
  readonly expire: () => readonly Announcement[];
  /** Announcements that wait here. */
  readonly waiting: () => number;
  /** True if announcements of an owner wait here. */
  readonly holdsBack: (ownerId: string) => boolean;
}

/** Bounds of the windows. */
export interface WindowBounds {
  /** Executions of one owner that are before the runners. */
  readonly size: number;
  /** Executions that wait here in all; what is beyond is left to the sweeper. */
  readonly maxWaiting: number;
  /** Milliseconds after which an announcement counts as taken. */
  readonly expireMs: number;
}

interface Window {
  /** Time at which each went out. */
  readonly open: Map<string, number>;
  readonly waiting: Map<string, Announcement>;
}

/** Windows that start empty. A window goes when nothing of its owner is open or waits. */
export const createOwnerWindows = ({ size, maxWaiting, expireMs }: WindowBounds, now: () => number): OwnerWindows => {
  const windows = new Map<string, Window>();
  const ownerOf = new Map<string, string>();
  let waiting = 0;

  const fill = (owner: string, window: Window): Announcement[] => {
    const ready: Announcement[] = [];
    for (const [id, announcement] of window.waiting) {
      if (window.open.size >= size) break;
      window.waiting.delete(id);
      waiting -= 1;
      window.open.set(id, now());
      ownerOf.set(id, owner);
      ready.push(announcement);
    }
    if (window.open.size === 0 && window.waiting.size === 0) windows.delete(owner);
    return ready;
  };
  const close = (owner: string, window: Window, id: string): Announcement[] => {
    window.open.delete(id);
    ownerOf.delete(id);
    return fill(owner, window);
  };
  return {
    admit: (announcement) => {
      const { id, ownerId } = announcement;
      if (ownerId === undefined) return [announcement];
      const window = windows.get(ownerId) ?? {
        open: new Map<string, number>(),
        waiting: new Map<string, Announcement>(),
      };
      windows.set(ownerId, window);
      // Announced again: the message before was lost.
      if (window.open.has(id)) return [announcement];
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
        const ready: Announcement[] = [];
        for (const [id, since] of [...window.open]) {
          if (since > before) break;
          ready.push(...close(owner, window, id));
        }
        return ready;
      });
    },
    waiting: () => waiting,
    holdsBack: (ownerId) => (windows.get(ownerId)?.waiting.size ?? 0) > 0,
  };
};
