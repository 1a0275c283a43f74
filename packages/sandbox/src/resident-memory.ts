import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a status file, at most: it has about 1,500. */
const STATUS_BYTES = 4096;
const status = Buffer.alloc(STATUS_BYTES);

const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;
/** Memory that no file is behind. */
const ANONYMOUS = /^RssAnon:\s+(\d+) kB$/m;
const mbIn = (text: string, line: RegExp): number => Number(line.exec(text)?.[1] ?? 0) / 1024;

/**
 * MiB of what it had in common that a copy of another process has changed: this much at once, then as much as it gets
 * anew, up to a bound. Measured with 1 to 3,000 runs.
 */
const CHANGED_MB = { atOnce: 4, most: 14 };

/** MiB of memory that a process has; 0 where the system does not say. */
export interface ProcessMemory {
  /** In all, with what it shares with others. */
  readonly residentMb: number;
  /** That is freed when it ends, about. */
  readonly ownMb: number;
}

/** Memory of a process. */
export interface MemoryMeter {
  /** What it has now. */
  readonly now: () => ProcessMemory;
  /**
   * Called when it says that it is ready: what a copy of another process has then, it has in common with that one. The
   * first time counts, since who controls it can say so again.
   */
  readonly begin: () => void;
  readonly close: () => void;
}

/**
 * Measures the memory of a process, again and again. Its status stays open: to open it costs more than to read it, and
 * its number may be that of another process once it has ended.
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
