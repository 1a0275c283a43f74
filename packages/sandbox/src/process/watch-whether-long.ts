import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** CPU milliseconds that one run gets at the priority of its parent process. */
const SHORT_CPU_MS = 200;
/** A run that takes this many milliseconds is long, even if it slept or waited for the CPU. */
const SHORT_MS = 2_000;
/** Added to its niceness after that: it gets a tenth of the CPU of competing processes. */
const LONG_NICENESS = 10;
const MAX_NICENESS = 19;

/** Threads of a process; only the process itself if the system does not list them. */
export const threadsOf = (pid: number): readonly number[] => {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [pid];
  }
};

/** Lowers the priority of all threads of a process, because the kernel has one for each. */
const lower = (pid: number): void => {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, Math.min(MAX_NICENESS, getPriority(thread) + LONG_NICENESS));
    } catch {
      // the process has ended, or this system has no priorities
    }
  }
};

/**
 * Lowers the priority of a process once a run in it has used {@link SHORT_CPU_MS} of CPU, so that long-running code
 * takes only CPU that nothing else needs. Raising it again would require a privilege.
 * @param cpuMs CPU milliseconds since the run began; undefined if the system does not report them
 * @param onLong called repeatedly once the run is long: it has used that much CPU, or {@link SHORT_MS} have passed
 * @returns a function that stops watching
 */
export const watchWhetherLong = (pid: number, cpuMs: () => number | undefined, onLong: () => void): (() => void) => {
  const longAt = performance.now() + SHORT_MS;
  let isLowered = false;
  const timer = setInterval(() => {
    const hasCpu = isLowered || (cpuMs() ?? 0) >= SHORT_CPU_MS;
    if (hasCpu && !isLowered) {
      isLowered = true;
      lower(pid);
    }
    if (hasCpu || performance.now() >= longAt) onLong();
  }, SHORT_CPU_MS);
  return () => clearInterval(timer);
};
