import { closeSync, openSync, readSync } from 'node:fs';

/** Maximum bytes of a status file, which has about 1,500. */
const STATUS_BYTES = 4096;
const status = Buffer.alloc(STATUS_BYTES);

const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;
/** Memory without a backing file. */
const ANONYMOUS = /^RssAnon:\s+(\d+) kB$/m;
const mbIn = (text: string, line: RegExp): number => Number(line.exec(text)?.[1] ?? 0) / 1024;

/**
 * MiB of shared memory that a copy of another process has changed: this much at once, then as much as it newly
 * allocates, up to a bound. Measured with 1 to 3,000 runs.
 */
const CHANGED_MB = { atOnce: 4, most: 14 };

/** Memory of a process in MiB; 0 if the system does not report it. */
export interface ProcessMemory {
  /** Total, including shared memory. */
  readonly residentMb: number;
  /** Approximately what its end would free. */
  readonly ownMb: number;
}

/** Memory of a process. */
export interface MemoryMeter {
  /**
   * Called when the process reports that it is ready: a copy shares its memory at that time with the original. Only the
   * first call counts, because a compromised process can repeat the message.
   */
  readonly now: () => ProcessMemory;
  /**
   * Called when it says that it is ready: what a copy of another process has then, it has in common with that one. The
   * first time counts, since who controls it can say so again.
   */
  readonly begin: () => void;
  readonly close: () => void;
}

/**
 * Measures the memory of a process repeatedly. Its status file stays open: opening costs more than reading, and the
 * number may be reused once the process has ended.
 * @param isCopy true for a copy of another process
 */
export const measureMemory = (pid: number, isCopy = false): MemoryMeter => {
  let file: number | undefined;
  let commonMb: number | undefined;
  const read = (): string => {
    try {
      file ??= openSync(`/proc/${pid}/status`, 'r');
      return status.toString('latin1', 0, readSync(file, status, 0, STATUS_BYTES, 0));
    } catch {
      // It has ended, or this system has no such files.
      return '';
    }
  };
  return {
    now: () => {
      const text = read();
      const newMb = Math.max(0, mbIn(text, ANONYMOUS) - (commonMb ?? 0));
      const changedMb = isCopy ? Math.min(CHANGED_MB.most, CHANGED_MB.atOnce + newMb) : 0;
      return { residentMb: mbIn(text, RESIDENT), ownMb: newMb + changedMb };
    },
    begin: () => {
      if (isCopy) commonMb ??= mbIn(read(), ANONYMOUS);
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
};
