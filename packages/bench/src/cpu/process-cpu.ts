import { readProcessTable, type ProcessEntry } from './process-table';

/** A process that CPU time and memory are attributed to. Several may have one name: the replicas of a service. */
export interface NamedProcess {
  readonly name: string;
  readonly pid: number;
  /** True to count its child processes separately, under the name `<name> children`. */
  readonly showsChildren: boolean;
}

/** CPU milliseconds by name, in the order of the processes. */
export type CpuByName = ReadonlyMap<string, number>;

/** The descendants of a process in the table. */
export const descendantsOf = (pid: number, table: readonly ProcessEntry[]): ProcessEntry[] =>
  table.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...descendantsOf(child.pid, table)]);

/** The name under which the children of a process are counted. */
export const childrenName = ({ name, showsChildren }: NamedProcess): string =>
  showsChildren ? `${name} children` : name;

/**
 * CPU time so far. It includes children that ended: the kernel adds their time, including that of their ended
 * children, to the process that waited for them. A process that is not in the table counts 0.
 */
export const cpuOf = (processes: readonly NamedProcess[], table: readonly ProcessEntry[]): CpuByName => {
  const totals = new Map<string, number>();
  const add = (name: string, ms: number): void => void totals.set(name, (totals.get(name) ?? 0) + ms);
  for (const each of processes) {
    const self = table.find(({ pid }) => pid === each.pid);
    const living = descendantsOf(each.pid, table);
    add(each.name, self?.ownMs ?? 0);
    add(
      childrenName(each),
      living.reduce((sum, child) => sum + child.ownMs + child.endedChildrenMs, self?.endedChildrenMs ?? 0),
    );
  }
  return totals;
};

const MAX_READS = 10;

const pidsOf = (processes: readonly NamedProcess[], table: readonly ProcessEntry[]): string =>
  processes
    .flatMap(({ pid }) => descendantsOf(pid, table))
    .map(({ pid }) => pid)
    .join();

/**
 * Reads the CPU time so far. The table is not read in one instant: a child that ends meanwhile would be counted twice
 * or not at all, so it is read again until two readings show the same children.
 */
export const readCpu = (processes: readonly NamedProcess[], read = readProcessTable): CpuByName => {
  let table = read();
  for (let reads = 1; reads < MAX_READS; reads += 1) {
    const next = read();
    if (pidsOf(processes, next) === pidsOf(processes, table)) break;
    table = next;
  }
  return cpuOf(processes, table);
};

/** The difference of two readings, by name. */
export const cpuBetween = (before: CpuByName, after: CpuByName): Map<string, number> =>
  new Map([...after].map(([name, ms]) => [name, ms - (before.get(name) ?? 0)]));
