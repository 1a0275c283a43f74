import { readFileSync } from 'node:fs';

/** Resident memory of a process in MiB. */
export const residentMiB = (pid: number): number => {
  const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kib ?? 0) / 1024;
};
