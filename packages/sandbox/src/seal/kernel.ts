import { createRequire } from 'node:module';

/** The part of koffi that is used here. Its own types are those of an ES module, which this file cannot import. */
interface Koffi {
  load(library: null): { func(prototype: string): (...values: readonly unknown[]) => number };
  errno(): number;
  address(bytes: Buffer): number | bigint;
}

/** Limits of `setrlimit`, from the kernel's `resource.h`. */
export const RESOURCE = { fileBytes: 1, dataBytes: 2, coreBytes: 4 } as const;

/** Options of `prctl`. */
export const PROCESS_OPTION = { parentDeathSignal: 1, dumpable: 4, noNewPrivileges: 38 } as const;

/** A system call's result; `error` is an errno, 0 if it succeeded. */
export interface CallResult {
  readonly value: number;
  readonly error: number;
}

type SystemCall = (number: number, ...typed: readonly unknown[]) => number;

const koffi: Koffi = createRequire(__filename)('koffi');
/** The C library, which is part of every Node. */
const libc = koffi.load(null);
const syscall: SystemCall = libc.func('long syscall(long number, ...)');
const prctl: (option: number, value: number, ...rest: readonly number[]) => number = libc.func(
  'int prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d)',
);
const setrlimit: (resource: number, limit: Buffer) => number = libc.func(
  'int setrlimit(int resource, const void *limit)',
);

/** Makes a system call. Numbers are passed as `long`, bytes by their address. */
export const callSystem = (number: number, ...values: readonly (number | Buffer)[]): CallResult => {
  const typed = values.flatMap((value): unknown[] =>
    typeof value === 'number' ? ['long', value] : ['const void *', value],
  );
  const value = syscall(number, ...typed);
  return { value, error: value === -1 ? koffi.errno() : 0 };
};

/** Sets an option of this process. Returns an errno, 0 if it succeeded. */
export const setProcessOption = (option: number, value: number): number =>
  prctl(option, value, 0, 0, 0) === 0 ? 0 : koffi.errno();

/** Sets a resource's soft and hard limit. Returns an errno, 0 if it succeeded. */
export const limitResource = (resource: number, most: number): number => {
  const limit = Buffer.alloc(16);
  limit.writeBigUInt64LE(BigInt(most), 0);
  limit.writeBigUInt64LE(BigInt(most), 8);
  return setrlimit(resource, limit) === 0 ? 0 : koffi.errno();
};

/** The address of bytes, for a structure that points to them. They must be held as long as it is used. */
export const addressOf = (bytes: Buffer): bigint => BigInt(koffi.address(bytes));
