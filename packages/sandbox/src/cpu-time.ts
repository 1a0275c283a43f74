import { readFileSync } from 'node:fs';

/** Milliseconds of one tick of the times in `/proc` (`USER_HZ`, which is 100 on every Linux that Node runs on). */
const TICK_MS = 10;
/** Places of `utime` and `stime` behind the name of the program, which may contain anything; see proc(5). */
const [USER, SYSTEM] = [11, 12] as const;

/** Milliseconds of CPU that a process has had; undefined where the system does not say. */
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

/** What is over before is not measured, which would cost more than most code. It is one tick. */
const UNMEASURED_MS = TICK_MS;

/** CPU of a process since about the time at which it was asked for. */
export interface CpuMeter {
  /** Milliseconds so far, without those of the first {@link UNMEASURED_MS}; undefined where the system does not say. */
  readonly ms: () => number | undefined;
  readonly stop: () => void;
}

/** Measures the CPU that a process has from now on. */
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
