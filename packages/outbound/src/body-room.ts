/** Memory for the body of a response. Both wait if it is more than before, and give back the rest at once if not. */
export interface BodyRoom {
  /** Memory for a body of so many bytes, and for what is made of it. */
  readonly make: (bytes: number) => Promise<void>;
  /** Memory for so many bytes alone. */
  readonly hold: (bytes: number) => Promise<void>;
}

/** Bytes of a body that are read without asking for room; of a slow one, until it asks again. */
const FREE_BYTES = 256 * 1024;
/** A body that is not complete so long after it got room holds what it fills, until it is. */
const SLOW_MS = 1_000;

/** Room of a body that is being read. */
export interface GrowingRoom {
  /** @returns what to wait for before more is read, if there is something */
  readonly arrived: (bytes: number) => Promise<void> | undefined;
  /** Waits until there is room for what is made of the body. */
  readonly complete: () => Promise<void> | undefined;
  readonly end: () => void;
}

/**
 * Asks for room as a body grows: for the size that its sender states, else for twice of what has arrived.
 * @param stated bytes; 0 if that is unknown
 */
export function growingRoom(stated: number, maxBytes: number, room: BodyRoom | undefined): GrowingRoom {
  let arrived = 0;
  let limit = FREE_BYTES;
  let isSlow = false;
  let timer: NodeJS.Timeout | undefined;
  if (room === undefined) return { arrived: () => undefined, complete: () => undefined, end: () => undefined };
  const hold = (): Promise<void> => {
    limit = arrived + FREE_BYTES;
    return room.hold(limit);
  };
  const becomeSlow = (): void => {
    isSlow = true;
    void hold();
  };
  const make = async (bytes: number): Promise<void> => {
    limit = bytes;
    clearTimeout(timer);
    await room.make(bytes);
    timer = setTimeout(becomeSlow, SLOW_MS).unref();
  };
  return {
    arrived: (bytes) => {
      arrived = bytes;
      if (bytes <= limit) return undefined;
      return isSlow ? hold() : make(Math.min(maxBytes, stated >= bytes ? stated : 2 * bytes));
    },
    complete: () => {
      clearTimeout(timer);
      return isSlow ? room.make(arrived) : undefined;
    },
    end: () => clearTimeout(timer),
  };
}
