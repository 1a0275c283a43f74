/** Numbers of Linux system calls of one architecture, by name. Source: each architecture's `unistd.h`. */
export type SystemCalls = Readonly<Record<string, number>>;

/** An architecture on which a process can seal itself. */
export interface SealArchitecture {
  /** `AUDIT_ARCH_*` of the kernel's `audit.h`. */
  readonly audit: number;
  /** Numbers from here on belong to another interface of the same kernel; absent if there is none. */
  readonly foreignFrom?: number;
  /** Calls required to compute, allocate memory, or use open descriptors. */
  readonly allowed: SystemCalls;
  /** Calls that only an attack makes: they kill the process. */
  readonly fatal: SystemCalls;
  /** Calls allowed with certain arguments, and calls made by the seal itself. */
  readonly special: {
    readonly mmap: number;
    readonly madvise: number;
    readonly tgkill: number;
    readonly seccomp: number;
    readonly openat: number;
    readonly socket: number;
    readonly clone: number;
  };
}

const X64: SealArchitecture = {
  audit: 0xc000003e,
  // The x32 interface, which has different numbers for the same calls.
  foreignFrom: 0x40000000,
  allowed: {
    read: 0,
    write: 1,
    close: 3,
    poll: 7,
    mprotect: 10,
    munmap: 11,
    brk: 12,
    rt_sigaction: 13,
    rt_sigprocmask: 14,
    rt_sigreturn: 15,
    readv: 19,
    writev: 20,
    sched_yield: 24,
    mremap: 25,
    nanosleep: 35,
    getpid: 39,
    exit: 60,
    gettimeofday: 96,
    getrusage: 98,
    sigaltstack: 131,
    gettid: 186,
    time: 201,
    futex: 202,
    sched_getaffinity: 204,
    restart_syscall: 219,
    clock_gettime: 228,
    clock_getres: 229,
    clock_nanosleep: 230,
    exit_group: 231,
    epoll_wait: 232,
    epoll_ctl: 233,
    ppoll: 271,
    epoll_pwait: 281,
    getrandom: 318,
    pkey_mprotect: 329,
    pkey_alloc: 330,
    pkey_free: 331,
  },
  fatal: {
    execve: 59,
    ptrace: 101,
    unshare: 272,
    perf_event_open: 298,
    setns: 308,
    process_vm_readv: 310,
    process_vm_writev: 311,
    bpf: 321,
    execveat: 322,
    userfaultfd: 323,
    io_uring_setup: 425,
  },
  special: { mmap: 9, madvise: 28, tgkill: 234, seccomp: 317, openat: 257, socket: 41, clone: 56 },
};

const ARM64: SealArchitecture = {
  audit: 0xc00000b7,
  allowed: {
    epoll_ctl: 21,
    epoll_pwait: 22,
    close: 57,
    read: 63,
    write: 64,
    readv: 65,
    writev: 66,
    ppoll: 73,
    exit: 93,
    exit_group: 94,
    futex: 98,
    nanosleep: 101,
    clock_gettime: 113,
    clock_getres: 114,
    clock_nanosleep: 115,
    sched_getaffinity: 123,
    sched_yield: 124,
    restart_syscall: 128,
    sigaltstack: 132,
    rt_sigaction: 134,
    rt_sigprocmask: 135,
    rt_sigreturn: 139,
    getrusage: 165,
    gettimeofday: 169,
    getpid: 172,
    gettid: 178,
    brk: 214,
    munmap: 215,
    mremap: 216,
    mprotect: 226,
    getrandom: 278,
    pkey_mprotect: 288,
    pkey_alloc: 289,
    pkey_free: 290,
  },
  fatal: {
    unshare: 97,
    ptrace: 117,
    execve: 221,
    perf_event_open: 241,
    setns: 268,
    process_vm_readv: 270,
    process_vm_writev: 271,
    bpf: 280,
    execveat: 281,
    userfaultfd: 282,
    io_uring_setup: 425,
  },
  special: { mmap: 222, madvise: 233, tgkill: 131, seccomp: 277, openat: 56, socket: 198, clone: 220 },
};

/** The architecture of this process; undefined if it cannot be sealed. */
export const sealArchitecture = (
  platform: string = process.platform,
  arch: string = process.arch,
): SealArchitecture | undefined => {
  if (platform !== 'linux') return undefined;
  return arch === 'x64' ? X64 : arch === 'arm64' ? ARM64 : undefined;
};
