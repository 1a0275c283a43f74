/**
 * The memory limit of one run, `memoryMb` (`RUNNER_SANDBOX_MB` for code). Three things hold it, and all follow from it
 * here: V8's heap limit, which its process is started with; the kernel's limit of private writable memory, which its
 * process sets when it seals itself; and the signal by which a process ends that has reached either.
 */

/** V8's heap as a share of the memory of a run; the rest is for off-heap memory. */
const HEAP_PART = 0.75;
const MIB = 1024 * 1024;

/** Size of V8's heap in MiB for a run memory limit in MiB. */
export const heapMbOf = (memoryMb: number): number => Math.floor(memoryMb * HEAP_PART);

/**
 * `RLIMIT_DATA` in bytes of a process whose runs may use `memoryMb`.
 * @param ownBytes private writable memory of the process before its first run
 */
export const dataBytesOf = (memoryMb: number, ownBytes: number): number => ownBytes + memoryMb * MIB;

/** True for a signal by which V8, or a program without memory, ends itself. */
export const isOutOfMemory = (signal: NodeJS.Signals | null): boolean =>
  signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL';
