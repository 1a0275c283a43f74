import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes of a status file, at most: it has about 1,500. */
const STATUS_BYTES = 4096;
const status = Buffer.alloc(STATUS_BYTES);

/** Memory of a process. */
export interface MemoryMeter {
  /** MiB that it has now; 0 where the system does not say. */
  readonly mb: () => number;
  readonly close: () => void;
}

/**
 * Measures the memory of a process, again and again. Its status stays open: to open it costs more than to read it, and
 * its number may be that of another process once it has ended.
 */
export const measureMemory = (pid: number): MemoryMeter => {
  let file: number | undefined;
  return {
    mb: () => {
      try {
        file ??= openSync(`/proc/${pid}/status`, 'r');
        const text = status.toString('latin1', 0, readSync(file, status, 0, STATUS_BYTES, 0));
        return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) / 1024;
      } catch {
        return 0;
      }
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
};
