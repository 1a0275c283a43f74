import { getPriority } from 'node:os';
import { threadsOf } from '../watch-whether-long';
import { callSystem, processId } from './kernel';

/** Nanoseconds: the least that the kernel takes. */
const TURN_NS = 100_000n;

/** Numbers of `sched_setattr`. */
const SET_ATTRIBUTES: Readonly<Record<string, number>> = { x64: 314, arm64: 274 };

/** Bytes of `struct sched_attr` in its first form. */
const ATTRIBUTES_BYTES = 48;

/** Attributes of a thread of the usual kind: its niceness as it is, and the length of its turns. */
const attributesOf = (niceness: number): Buffer => {
  const attributes = Buffer.alloc(ATTRIBUTES_BYTES);
  attributes.writeUInt32LE(ATTRIBUTES_BYTES, 0);
  attributes.writeInt32LE(niceness, 16);
  attributes.writeBigUInt64LE(TURN_NS, 24);
  return attributes;
};

/**
 * Has all threads of this process, and those that they start, take short turns at a processor. Since Linux 6.6 a thread
 * that wakes up waits for the end of the turn of the one that runs, about 3 ms, however nice that is; services wake up
 * a dozen times for each run. The share of the processor is that of the niceness, as ever. Kernels before 6.12 have one
 * length of turns for all and ignore this. Linux only.
 */
export const takeShortTurns = (threads = threadsOf(processId())): void => {
  const number = SET_ATTRIBUTES[process.arch];
  if (number === undefined) return;
  for (const thread of threads) {
    try {
      callSystem(number, thread, attributesOf(getPriority(thread)), 0);
    } catch {
      // it has ended
    }
  }
};
