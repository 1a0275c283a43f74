import { Buffer } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { dataBytesOf } from '../pools/memory-limit';
import { encodeFilter, sealFilter, skipAdvice, type Instruction } from './filter';
import {
  addressOf,
  callSystem,
  endWithParent,
  limitResource,
  PROCESS_OPTION,
  processId,
  RESOURCE,
  setProcessOption,
} from './kernel';
import type { SealArchitecture } from './system-calls';
import { sealArchitecture } from './system-calls';
import { takeShortSlices } from './short-slices';

const SECCOMP_SET_MODE_FILTER = 1;
/** The filter applies to all threads of the process, including running ones. */
const SECCOMP_FILTER_FLAG_TSYNC = 1;
const EPERM = 1;
const AT_FDCWD = -100;
const AF_INET = 2;
const SOCK_STREAM = 1;
/** `clone` with only this flag is invalid, so nothing starts if the seal lets it through. */
const CLONE_SIGHAND = 0x800;

// Captured before the global names of this realm are removed.
const system = `${process.platform} on ${process.arch}`;
const architecture = sealArchitecture();

/** A process could not be sealed. Untrusted code must not run in it. */
export class SealFailed extends Error {
  constructor(what: string) {
    super(`This process could not be sealed: ${what}`);
    this.name = 'SealFailed';
  }
}

export interface SealOptions {
  /** Maximum MiB that the process may allocate from now on (`memory-limit.ts`); unlimited if absent. */
  readonly memoryMb?: number;
  /** True for a copy of a process with short scheduling slices, which it inherits. */
  readonly isCopy?: boolean;
}

/**
 * Seals this process and all of its threads permanently: from now on it can compute, allocate memory, and use open
 * descriptors. It cannot get a file, socket, process, thread, or send signals to others. It ends with its parent, and
 * dumps no core. Afterwards anything that loads code, starts threads or calls `exit` fails or aborts.
 * @throws SealFailed if the kernel refuses, or the seal is not effective
 */
export const sealProcess = (options: SealOptions = {}): void => {
  if (architecture === undefined) throw new SealFailed(`there is no seal for ${system}.`);
  limitProcess(options);
  check('PR_SET_NO_NEW_PRIVS', setProcessOption(PROCESS_OPTION.noNewPrivileges, 1));
  installFilter(sealFilter(architecture, processId()), architecture);
  testSeal(architecture);
};

/** Limits memory and scheduling slices, forbids writing files and cores, and ends this process with its parent. */
const limitProcess = ({ memoryMb, isCopy = false }: SealOptions): void => {
  check('PR_SET_PDEATHSIG', endWithParent());
  check('PR_SET_DUMPABLE', setProcessOption(PROCESS_OPTION.dumpable, 0));
  check('RLIMIT_CORE', limitResource(RESOURCE.coreBytes, 0));
  check('RLIMIT_FSIZE', limitResource(RESOURCE.fileBytes, 0));
  if (!isCopy) takeShortSlices();
  if (memoryMb !== undefined)
    check('RLIMIT_DATA', limitResource(RESOURCE.dataBytes, dataBytesOf(memoryMb, ownBytes())));
};

/**
 * Installs a filter for all system calls of this process, its threads and children.
 * @throws SealFailed if the kernel refuses
 */
export const installFilter = (filter: readonly Instruction[], { special }: SealArchitecture): void => {
  const code = encodeFilter(filter);
  // struct sock_fprog: the number of instructions, and their address.
  const program = Buffer.alloc(16);
  program.writeUInt16LE(filter.length, 0);
  program.writeBigUInt64LE(addressOf(code), 8);
  const { value, error } = callSystem(special.seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, program);
  // A positive value is the id of a thread that could not apply the filter.
  if (value !== 0) throw new SealFailed(`seccomp answered ${value}, errno ${error}.`);
};

/**
 * Makes `madvise` with this advice a no-op from now on, for all threads of this process and its children.
 * @throws SealFailed if the kernel refuses
 */
export const ignoreAdvice = (advice: number): void => {
  if (architecture === undefined) throw new SealFailed(`there is no seal for ${system}.`);
  check('PR_SET_NO_NEW_PRIVS', setProcessOption(PROCESS_OPTION.noNewPrivileges, 1));
  installFilter(skipAdvice(architecture, advice), architecture);
};

/**
 * Tries calls that the seal must refuse. Some kernels accept filters and ignore them, such as early versions of gVisor.
 */
const testSeal = ({ special }: SealArchitecture): void => {
  const attempts: readonly (readonly [name: string, error: number])[] = [
    ['opening a file', callSystem(special.openat, AT_FDCWD, Buffer.from('/\0'), 0).error],
    ['opening a socket', callSystem(special.socket, AF_INET, SOCK_STREAM, 0).error],
    ['starting a process', callSystem(special.clone, CLONE_SIGHAND, 0, 0, 0, 0).error],
  ];
  for (const [name, error] of attempts)
    if (error !== EPERM) throw new SealFailed(`${name} was not refused, errno ${error}.`);
};

/** Private writable memory of this process in bytes, much of it only reserved. */
const ownBytes = (): number => {
  const kib = /^VmData:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (kib === undefined) throw new SealFailed('its memory cannot be read.');
  return Number(kib) * 1024;
};

const check = (step: string, error: number): void => {
  if (error !== 0) throw new SealFailed(`${step} failed with errno ${error}.`);
};
