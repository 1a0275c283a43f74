/**
 * The memory limit of one run, `memoryMb` (`RUNNER_SANDBOX_MB` for code). Three things hold it, and all follow from it
 * here: V8's heap limit, which its process is started with; the kernel's limit of private writable memory, which its
 * process sets when it seals itself; and the signal by which a process ends that has reached either.
 */

/** Part of the memory of a run that V8's heap may have; the rest is for what lies outside of it. */
const HEAP_PART = 0.75;
const MIB = 1024 * 1024;

/** MiB of V8's heap in a process whose runs may use so many MiB. */
export const heapMbOf = (memoryMb: number): number => Math.floor(memoryMb * HEAP_PART);

/**
 * Bytes for `RLIMIT_DATA` of a process whose runs may use so many MiB.
 * @param ownBytes private writable memory that the process has before its first run
 */
export const dataBytesOf = (memoryMb: number, ownBytes: number): number => ownBytes + memoryMb * MIB;

/** True for a signal by which V8, or a program without memory, ends itself. */
export const isOutOfMemory = (signal: NodeJS.Signals | null): boolean =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL';
