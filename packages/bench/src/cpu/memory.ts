import { readFileSync } from 'node:fs';
import { childrenName, descendantsOf, type NamedProcess } from './process-cpu';
import { readProcessTable } from './process-table';

/** Resident memory of a process in MiB; 0 if it has ended. */
const residentMiB = (pid: number): number => {
  try {
    const kib = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Number(kib ?? 0) / 1024;
  } catch {
    return 0;
  }
};

/** Resident memory in MiB by name, child processes as {@link childrenName} says. Shared pages count in each process. */
export const readMemory = (processes: readonly NamedProcess[]): Map<string, number> => {
  const table = readProcessTable();
  const totals = new Map<string, number>();
  const add = (name: string, mib: number): void => void totals.set(name, (totals.get(name) ?? 0) + mib);
  for (const each of processes) {
    add(each.name, residentMiB(each.pid));
    for (const child of descendantsOf(each.pid, table)) add(childrenName(each), residentMiB(child.pid));
  }
  return totals;
};
