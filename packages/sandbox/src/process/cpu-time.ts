import { readFileSync } from 'node:fs';

/** Milliseconds per tick of the times in `/proc` (`USER_HZ` is 100 on every Linux that Node supports). */
const TICK_MS = 10;
/** Indexes of `utime` and `stime` after the program name, which may contain any characters; see proc(5). */
const [USER, SYSTEM] = [11, 12] as const;

/** CPU milliseconds that a process has used; undefined if the system does not report it. */
const cpuMs = (pid: number): number | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[USER]) + Number(fields[SYSTEM]);
    return Number.isNaN(ticks) ? undefined : ticks * TICK_MS;
  } catch {
    return undefined;
  }
};

/** The first tick is not measured, which would cost more than most code takes. */
const UNMEASURED_MS = TICK_MS;

/** CPU time of a process since about the time the meter was created. */
export interface CpuMeter {
  /** Milliseconds so far, without the first {@link UNMEASURED_MS}; undefined if the system does not report them. */
  readonly ms: () => number | undefined;
  readonly stop: () => void;
}

/** Measures the CPU time of a process from now on. */
export const measureCpu = (pid: number): CpuMeter => {
  let before: number | undefined;
  const timer = setTimeout(() => {
    before = cpuMs(pid);
  }, UNMEASURED_MS);
  return {
    ms: () => {
      const now = before === undefined ? undefined : cpuMs(pid);
      return before === undefined || now === undefined ? undefined : now - before;
    },
    stop: () => clearTimeout(timer),
  };
};
