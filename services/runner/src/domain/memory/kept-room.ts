import type { BodyRoom } from '@weft/outbound';
import type { Holder, MemoryRoom, Wait } from './memory-room';

/** A response is held once as received, and once more while it is read. */
export const RESPONSE_FACTOR = 2;
/** Memory per byte of a large response: the bytes, their text, its items, and the records while they are written. */
export const FETCH_FACTOR = 8;

/** Memory reserved for one response until its node ends; none for small responses. */
export interface KeptRoom extends BodyRoom {
  /** Releases what exceeds a number of bytes. */
  readonly shrink: (bytes: number) => void;
}

/** A run with reserved memory. */
export interface KeepingHolder extends Holder {
  /** Bytes for responses being fetched, and the data derived from them. */
  reserved: number;
  /** Bytes for responses of slow servers. */
  slow: number;
  /** Number of its current node. Memory of earlier nodes is already released. */
  readonly nodes: number;
}

/** @param count adds to the total of all runs */
export const createKeptRoom = (
  holder: KeepingHolder,
  room: MemoryRoom,
  count: (bytes: number) => void,
  wait: Pick<Wait, 'late' | 'signal'>,
): KeptRoom => {
  const { nodes } = holder;
  let kept = 0;
  let wasSlow = false;
  const change = (bytes: number, isSlow: boolean): void => {
    if (holder.nodes !== nodes) return;
    holder[wasSlow ? 'slow' : 'reserved'] -= kept;
    holder[isSlow ? 'slow' : 'reserved'] += bytes;
    count(bytes - kept);
    kept = bytes;
    wasSlow = isSlow;
  };
  const resize = (bytes: number, isSlow: boolean): Promise<void> => {
    const take = (): void => change(bytes, isSlow);
    if (bytes > kept) return room.ask(holder, bytes - kept, { ...wait, isSlow, take });
    take();
    room.retry();
    return Promise.resolve();
  };
  return {
    make: (bytes) => resize(bytes * FETCH_FACTOR, false),
    hold: (bytes) => resize(bytes, true),
    shrink: (bytes) => {
      if (bytes < kept) void resize(bytes, false);
    },
  };
};
