import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';

/** The part of koffi that is used here. Its own types are for ES modules, which this file cannot import. */
interface Koffi {
  load(library: null): { func<Values extends readonly unknown[]>(prototype: string): (...values: Values) => number };
  errno(): number;
  address(bytes: Buffer): number | bigint;
}

/** Limits of `setrlimit`, from the kernel's `resource.h`. */
export const RESOURCE = { fileBytes: 1, dataBytes: 2, coreBytes: 4 } as const;

const SIGKILL = 9;
/** Options of `prctl`. */
export const PROCESS_OPTION = { parentDeathSignal: 1, dumpable: 4, noNewPrivileges: 38 } as const;

/** Result of a system call; `error` is an errno, 0 on success. */
export interface CallResult {
  readonly value: number;
  readonly error: number;
}

/** koffi does not support this system, or the C library lacks a function. */
class KernelUnreachable extends Error {
  constructor(cause: unknown) {
    super(
      `The kernel cannot be called here: ${cause instanceof Error ? cause.message.split('\n')[0] : String(cause)}`,
      {
        cause,
      },
    );
    this.name = 'KernelUnreachable';
  }
}

/**
 * The result of `make`, or a function that throws its error when called, so that a process that cannot be sealed can
 * report why.
 */
const orThrower = <Made extends (...values: never) => unknown>(make: () => Made): Made | (() => never) => {
  try {
    return make();
  } catch (error) {
    const reason = error instanceof KernelUnreachable ? error : new KernelUnreachable(error);
    return () => {
      throw reason;
    };
  }
};

/** koffi, and the C library, which is part of every Node. */
const native = orThrower(() => {
  const koffi: Koffi = createRequire(__filename)('koffi');
  const libc = koffi.load(null);
  return () => ({ koffi, libc });
});

/**
 * A function of the C library that returns a number. If it or koffi is not available on this system, it throws when
 * called.
 * @param prototype in C
 */
export const libraryFunction = <Values extends readonly unknown[]>(
  prototype: string,
): ((...values: Values) => number) => orThrower(() => native().libc.func<Values>(prototype));

const syscall = libraryFunction<[number: number, ...typed: unknown[]]>('long syscall(long number, ...)');
const prctl = libraryFunction<[option: number, value: number, ...rest: number[]]>(
  'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
);
const setrlimit = libraryFunction<[resource: number, limit: Buffer]>('int setrlimit(int resource, const void *limit)');
const getpid = libraryFunction<[]>('int getpid()');

/** Makes a system call. Numbers are passed as `long`, bytes by address. */
export const callSystem = (number: number, ...values: readonly (number | Buffer)[]): CallResult => {
  const typed = values.flatMap((value): unknown[] =>
    typeof value === 'number' ? ['long', value] : ['const void *', value],
  );
  const value = syscall(number, ...typed);
  return { value, error: value === -1 ? native().koffi.errno() : 0 };
};

/** The id of this process. Node caches the id from before a fork. */
export const processId = (): number => getpid();

/** Sets an option of this process. Returns an errno, 0 on success. */
export const setProcessOption = (option: number, value: number): number =>
  prctl(option, value, 0, 0, 0) === 0 ? 0 : native().koffi.errno();

/** Makes the kernel end this process when its parent ends. Returns an errno, 0 on success. */
export const endWithParent = (): number => setProcessOption(PROCESS_OPTION.parentDeathSignal, SIGKILL);

/** Sets the soft and hard limit of a resource. Returns an errno, 0 on success. */
export const limitResource = (resource: number, most: number): number => {
  const limit = Buffer.alloc(16);
  limit.writeBigUInt64LE(BigInt(most), 0);
  limit.writeBigUInt64LE(BigInt(most), 8);
  return setrlimit(resource, limit) === 0 ? 0 : native().koffi.errno();
};

/** The address of bytes, for a structure that points to them. They must stay referenced while it is in use. */
export const addressOf = (bytes: Buffer): bigint => BigInt(native().koffi.address(bytes));
