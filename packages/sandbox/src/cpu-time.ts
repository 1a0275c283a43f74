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

/**
 * Measures the CPU that a process has from now on.
 * @returns what tells the milliseconds so far; undefined where the system does not say
 */
export const measureCpu = (pid: number | undefined): (() => number | undefined) => {
  const before = pid === undefined ? undefined : cpuMs(pid);
  return () => {
    const now = pid === undefined ? undefined : cpuMs(pid);
    return before === undefined || now === undefined ? undefined : now - before;
  };
};
