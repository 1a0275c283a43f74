import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) / 1024;
};

/** Milliseconds of a clock tick of /proc: USER_HZ is 100 wherever Linux runs Node (proc_pid_stat(5)). */
const TICK_MS = 10;

/** CPU time that a process has used, in milliseconds: user and system together. */
export const cpuMs = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in parentheses, may hold spaces; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
};
