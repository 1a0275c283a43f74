import { Buffer } from 'node:buffer';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { libraryFunction } from '../seal/kernel';
import { ignoreAdvice } from '../seal/seal';

const AF_UNIX = 1;
const SOCK_STREAM = 1;
const WNOHANG = 1;
const EFD_NONBLOCK = 0o4000;
/** `madvise`: exclude this memory from child processes, or include it. */
const MADV_DONTFORK = 10;
const MADV_DOFORK = 11;
/** The signal part of a wait status. */
const SIGNAL_BITS = 0x7f;
const FIRST_OTHER_DESCRIPTOR = 3;

const fork = libraryFunction<[]>('int fork()');
const waitpid = libraryFunction<[number, Buffer, number]>('int waitpid(int pid, void *status, int options)');
const socketpair = libraryFunction<[number, number, number, Buffer]>(
  'int socketpair(int domain, int type, int protocol, void *descriptors)',
);
const dup2 = libraryFunction<[number, number]>('int dup2(int from, int to)');
const close = libraryFunction<[number]>('int close(int descriptor)');
const eventfd = libraryFunction<[number, number]>('int eventfd(unsigned int count, int flags)');
const getppid = libraryFunction<[]>('int getppid()');
const madvise = libraryFunction<[bigint, bigint, number]>('int madvise(uintptr_t start, size_t length, int advice)');

/**
 * Makes copies of this process include all of its memory, from now on. V8 excludes its heap, also memory it allocates
 * later, to make starting other programs cheaper: that call no longer has an effect.
 * @throws SealFailed if the kernel has no filters
 */
export const includeHeapInForks = (): void => {
  ignoreAdvice(MADV_DONTFORK);
  for (const line of readFileSync('/proc/self/maps', 'utf8').split('\n')) {
    const range = /^([0-9a-f]+)-([0-9a-f]+) /.exec(line);
    if (range === null) continue;
    const [start, end] = [BigInt(`0x${range[1] ?? ''}`), BigInt(`0x${range[2] ?? ''}`)];
    // Refused for the kernel's own pages, which every process has.
    madvise(start, end - start, MADV_DOFORK);
  }
};

/** Creates two connected sockets. @throws Error if there are too many descriptors */
export const createSocketPair = (): readonly [ours: number, theirs: number] => {
  const descriptors = Buffer.alloc(8);
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, descriptors) !== 0) throw new Error('No sockets can be made.');
  return [descriptors.readInt32LE(0), descriptors.readInt32LE(4)];
};

/** Forks this process: returns 0 in the child, its process id in the parent. @throws Error if the kernel refuses */
export const forkProcess = (): number => {
  const pid = fork();
  if (pid < 0) throw new Error('The kernel refuses another process.');
  return pid;
};

/** A child that has ended; undefined if no other has. */
export const takeEndedChild = (): { readonly pid: number; readonly signal: NodeJS.Signals | null } | undefined => {
  const status = Buffer.alloc(4);
  const pid = waitpid(-1, status, WNOHANG);
  if (pid <= 0) return undefined;
  const number = status.readInt32LE() & SIGNAL_BITS;
  const names: readonly [string, number][] = Object.entries(constants.signals);
  const name = names.find(([, value]) => value === number)?.[0];
  return { pid, signal: isSignal(name) ? name : null };
};

const isSignal = (name: string | undefined): name is NodeJS.Signals => name !== undefined && name in constants.signals;

export const closeDescriptor = (descriptor: number): void => void close(descriptor);

/** Process id of the parent. */
export const parentId = (): number => getppid();

/**
 * Makes a descriptor the standard input and output of this process, and closes all others except standard error.
 * Descriptors that V8 uses to wake the event loop are replaced by a private one, because V8 writes to them and aborts
 * if it cannot.
 * @throws Error if another descriptor is left open
 */
export const keepOnly = (descriptor: number): void => {
  if (dup2(descriptor, 0) !== 0 || dup2(descriptor, 1) !== 1) throw new Error('A descriptor cannot be copied.');
  // Before listing the others: the list could contain a number that this one then reuses.
  const own = eventfd(0, EFD_NONBLOCK);
  const others = otherDescriptors().filter((other) => other !== own);
  const wakes = new Set(others.filter(isWake));
  for (const other of others) if (!wakes.has(other)) close(other);
  for (const wake of wakes) if (dup2(own, wake) !== wake) throw new Error('A descriptor cannot be replaced.');
  close(own);
  // The directory being listed is itself open under another number.
  if (
    otherDescriptors()
      .filter((other) => !wakes.has(other))
      .some(isOpen)
  )
    throw new Error('A descriptor is left.');
};

/** Target of a descriptor; undefined if it is closed. */
const targetOf = (descriptor: number): string | undefined => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return undefined;
  }
};

const isOpen = (descriptor: number): boolean => targetOf(descriptor) !== undefined;
const isWake = (descriptor: number): boolean => targetOf(descriptor) === 'anon_inode:[eventfd]';

const otherDescriptors = (): number[] =>
  readdirSync('/proc/self/fd')
    .map(Number)
    .filter((descriptor) => descriptor >= FIRST_OTHER_DESCRIPTOR);
