import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Milliseconds of CPU that one run has at the priority of the process that started it. */
const QUICK_CPU_MS = 200;
/** A run that does not end in so many milliseconds takes long, though it may have slept, or waited for a processor. */
const QUICK_MS = 2_000;
/** What is added to its niceness after that: it has a tenth of what others have that want the processor. */
const LONG_NICENESS = 10;
const MAX_NICENESS = 19;

/** Threads of a process; only the process itself where the system does not list them. */
export const threadsOf = (pid: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
};

/** Lowers the priority of all threads of a process: the kernel has one for each. */
const lower = (pid: number): void => {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, Math.min(MAX_NICENESS, getPriority(thread) + LONG_NICENESS));
    } catch {
      // it has ended, or this system has no priorities
    }
  }
};

/**
 * Lets a process yield to all others once a run in it has had {@link QUICK_CPU_MS} of CPU, so that code that runs for
 * seconds takes only what nothing else wants. It does not get its priority back, which takes a privilege.
 * @param cpuMs milliseconds of CPU since the run began; undefined where the system does not say
 * @param onLong told again and again as soon as the run takes long: it has had that much CPU, or {@link QUICK_MS} have
 * gone by
 * @returns what ends the watching
 */
export const watchWhetherLong = (pid: number, cpuMs: () => number | undefined, onLong: () => void): (() => void) => {
  const longAt = performance.now() + QUICK_MS;
  let isLowered = false;
  const timer = setInterval(() => {
    const hasCpu = isLowered || (cpuMs() ?? 0) >= QUICK_CPU_MS;
    if (hasCpu && !isLowered) {
      isLowered = true;
      lower(pid);
    }
    if (hasCpu || performance.now() >= longAt) onLong();
  }, QUICK_CPU_MS);
  return () => clearInterval(timer);
};
