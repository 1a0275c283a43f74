import { setFlagsFromString } from 'node:v8';

/**
 * By how much V8's old generation may grow after a collection before the next one, in per cent of what that left. By
 * itself V8 allows about 40 MiB to a heap of 30, counts in it what buffers take outside of the heap, and begins early
 * by the size of the young generation: a service whose messages are a few kilobytes marked all of its heap three times
 * a second. Limits of the heap hold as before: V8 goes at most half of the way that is left to them.
 */
const GROWTH_PERCENT = 300;

/** Lets the heap of this process grow further between two collections. V8 reads the flag at the end of each. */
export const letHeapGrow = (): void => setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
