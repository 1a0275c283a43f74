import { setFlagsFromString } from 'node:v8';

/**
 * By how much V8's old generation may grow after a collection before the next one, in per cent of what that left. By
 * itself V8 allows about 40 MiB to a heap of 30, and begins early by the size of the young generation. Limits of the
 * heap hold as before: V8 goes at most half of the way that is left to them.
 */
const GROWTH_PERCENT = 300;

/**
 * Counts what buffers take outside of the heap in that growth. By itself V8 marks all of the heap whenever they have
 * grown by 64 MiB, most of which a collection of the young generation would free: a service whose messages are a few
 * kilobytes did so three times in five seconds.
 */
const COUNT_BUFFERS = '--external-memory-accounted-in-global-limit';

/** Lets the heap of this process grow further between two collections. V8 reads the flags as it goes. */
export const letHeapGrow = (): void => {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
  setFlagsFromString(COUNT_BUFFERS);
};
