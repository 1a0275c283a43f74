import { readFileSync, readdirSync } from 'node:fs';

/** A process in the table of the kernel (proc_pid_stat(5)). */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** CPU time of the process itself, user and system together, in milliseconds. */
  readonly ownMs: number;
  /** CPU time of its ended children and of theirs, as far as they were waited for, in milliseconds. */
  readonly endedChildrenMs: number;
}

/** Milliseconds of a clock tick of /proc: USER_HZ is 100 wherever Linux runs Node. */
const TICK_MS = 10;

/** Reads one line of `/proc/<pid>/stat`. */
export const parseStat = (stat: string): ProcessEntry => {
  // The name, in parentheses, may hold spaces and parentheses; the state, field 3, follows it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  return {
    pid: Number.parseInt(stat, 10),
    parent: field(4),
    ownMs: (field(14) + field(15)) * TICK_MS,
    endedChildrenMs: (field(16) + field(17)) * TICK_MS,
  };
};

const readEntry = (pid: string): ProcessEntry[] => {
  try {
    return [parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))];
  } catch {
    return []; // it ended while the table was read
  }
};

/** All processes of the machine. */
export const readProcessTable = (): ProcessEntry[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readEntry);
