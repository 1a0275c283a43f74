import { getPriority } from 'node:os';
import { threadsOf } from '../process/watch-whether-long';
import { callSystem, processId } from './kernel';

/** Length of a slice in nanoseconds: the minimum of the kernel. */
const SLICE_NS = 100_000n;

/** Numbers of `sched_setattr`. */
const SET_ATTRIBUTES: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };

/** Bytes of `struct sched_attr` in its first form. */
const ATTRIBUTES_BYTES = 48;

/** Attributes of an ordinary thread: unchanged niceness, and the length of its slices. */
const attributesOf = (niceness: number): Buffer => {
  const attributes = Buffer.alloc(ATTRIBUTES_BYTES);
  attributes.writeUInt32LE(ATTRIBUTES_BYTES, 0);
  attributes.writeInt32LE(niceness, 16);
  attributes.writeBigUInt64LE(SLICE_NS, 24);
  return attributes;
};

/**
 * Gives all threads of this process, and those they start, short scheduling slices. Since Linux 6.6 a waking thread
 * waits for the end of the running thread's slice, about 3 ms, whatever its niceness, and services wake up a dozen
 * times per run. The share of the CPU still follows the niceness. Kernels before 6.12 have one slice length for all and
 * ignore this. Linux only.
 */
export const takeShortSlices = (threads = threadsOf(processId())): void => {
  const number = SET_ATTRIBUTES[process.arch];
  if (number === undefined) return;
  for (const thread of threads) {
    try {
      callSystem(number, thread, attributesOf(getPriority(thread)), 0);
    } catch {
      // the thread has ended
    }
  }
};
