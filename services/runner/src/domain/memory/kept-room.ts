import type { BodyRoom } from '@weft/outbound';
import type { Holder, MemoryRoom, Wait } from './memory-room';

/** A response is held unchanged, and once more while it is read. */
export const RESPONSE_FACTOR = 2;
/** Bytes for a byte of a large response: itself, its text, its items, and their records as they are written. */
export const FETCH_FACTOR = 8;

/** Memory that is kept for one response until its node ends; none for a small one, which does not ask. */
export interface KeptRoom extends BodyRoom {
  /** Gives back what exceeds so many bytes. */
  readonly shrink: (bytes: number) => void;
}

/** A run for which memory is kept. */
export interface KeepingHolder extends Holder {
  /** Bytes for what is being fetched, and for what is made of it. */
  reserved: number;
  /** Bytes for what comes slowly. */
  slow: number;
  /** Number of its node. What was kept for one before is given back already. */
  readonly nodes: number;
}

/** @param count adds to what all runs hold */
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
