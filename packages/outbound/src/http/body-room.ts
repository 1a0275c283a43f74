/** Memory for the body of a response. Both wait if they need more than before, and release the difference if less. */
export interface BodyRoom {
  /** Reserves memory for a body of this number of bytes and for the value parsed from it. */
  readonly make: (bytes: number) => Promise<void>;
  /** Reserves memory for this number of bytes alone. */
  readonly hold: (bytes: number) => Promise<void>;
}

/** Bytes of a body that are read without a reservation; of a slow body, until it reserves again. */
const FREE_BYTES = 256 * 1024;
/** A body still incomplete this long after its reservation holds only the memory it fills. */
const SLOW_MS = 1_000;

/** Reservation for a body that is being read. */
export interface GrowingRoom {
  /** @returns a promise to await before reading more; undefined if reading may continue */
  readonly arrived: (bytes: number) => Promise<void> | undefined;
  /** Waits until there is memory for the value parsed from the body. */
  readonly complete: () => Promise<void> | undefined;
  readonly end: () => void;
}

/**
 * Reserves memory as a body grows: its declared size if known, otherwise twice the bytes received.
 * @param stated declared size in bytes; 0 if unknown
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
