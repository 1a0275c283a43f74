import { cpuBetween, readCpu, type NamedProcess } from './process-cpu';

const QUIET_LIMIT_MS = 15_000;
const QUIET_STEP_MS = 500;
const QUIET_SHARE = 0.1;

/** Waits until processes use less than a tenth of a core together: they load things ahead after their start. */
export const untilQuiet = async (processes: readonly NamedProcess[]): Promise<void> => {
  const end = performance.now() + QUIET_LIMIT_MS;
  for (let before = readCpu(processes); performance.now() < end;) {
    await new Promise((settle) => setTimeout(settle, QUIET_STEP_MS));
    const now = readCpu(processes);
    const spent = [...cpuBetween(before, now).values()].reduce((sum, ms) => sum + ms, 0);
    if (spent < QUIET_STEP_MS * QUIET_SHARE) return;
    before = now;
  }
};
