import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a status file, at most: it has about 1,500. */
const STATUS_BYTES = 4096;
const status = Buffer.alloc(STATUS_BYTES);

const RESIDENT = /^VmRSS:\s+(\d+) kB$/m;
const ANONYMOUS = /^RssAnon:\s+(\d+) kB$/m;
const mbIn = (text: string, line: RegExp): number => Number(line.exec(text)?.[1] ?? 0) / 1024;

/** MiB of memory that a process has. */
export interface ProcessMemory {
  /** In all, with what it shares with others. */
  readonly residentMb: number;
  /** That no file is behind: its own, and what it has in common with the process that it is a copy of. */
  readonly anonymousMb: number;
}

/** Memory of a process. */
export interface MemoryMeter {
  /** What it has now; 0 where the system does not say. */
  readonly now: () => ProcessMemory;
  readonly close: () => void;
}

/**
 * Measures the memory of a process, again and again. Its status stays open: to open it costs more than to read it, and
 * its number may be that of another process once it has ended.
 */
export const measureMemory = (pid: number): MemoryMeter => {
  let file: number | undefined;
  return {
    now: () => {
      let text = '';
      try {
        file ??= openSync(`/proc/${pid}/status`, 'r');
        text = status.toString('latin1', 0, readSync(file, status, 0, STATUS_BYTES, 0));
      } catch {
        // It has ended, or this system has no such files.
      }
      return { residentMb: mbIn(text, RESIDENT), anonymousMb: mbIn(text, ANONYMOUS) };
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
};
