import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';

/** To 16 MiB or more in one step; V8 goes on from there to its maximum if much survives. */
const GROWTH_FACTOR = 16;

/** Part of the time from which on a process works. */
const BUSY_SHARE = 0.1;

/** When {@link growWithWork} looks. */
export interface WorkChecks {
  /** Milliseconds between two looks at how busy the process was. */
  readonly everyMs: number;
  /** Number of the first one that counts: before that, the process may still load what it needs ahead of work. */
  readonly first: number;
}

/**
 * Lets the young generation of a process that `starts-small` grow once it works: a small one costs a service under load
 * a quarter of its CPU. To be called when it is ready.
 */
export const growWithWork = ({ everyMs, first }: WorkChecks = { everyMs: 1_000, first: 5 }): void => {
  let before = performance.eventLoopUtilization();
  let checks = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    checks += 1;
    if (checks < first || utilization < BUSY_SHARE) return;
    clearInterval(timer);
    setFlagsFromString(`--semi-space-growth-factor=${GROWTH_FACTOR}`);
  }, everyMs);
  timer.unref();
};
