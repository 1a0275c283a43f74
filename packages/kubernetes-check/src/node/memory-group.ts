import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Memory taken by the processes of a container. */
export interface MemoryUse {
  /** Processes that the kernel killed because the limit was reached. */
  readonly oomKills: number;
  /** Peak memory of all of them together, with the files that the kernel cached for them. */
  readonly peakBytes: number;
}

/** A control group: processes that share one memory limit, like those of a container. */
export interface MemoryGroup {
  /** Puts a process under the limit, and all that it starts from now on. */
  readonly add: (pid: number) => void;
  readonly use: () => MemoryUse;
  /** Removes the group once its processes have ended. */
  readonly remove: () => void;
}

/** Files of the kernel's two interfaces. */
interface Interface {
  readonly folder: string;
  /** A file of the folder that has this text where the memory of groups in it can be limited. */
  readonly proof: readonly [file: string, text: string];
  readonly limit: string;
  /** Has a line `oom_kill N`. */
  readonly events: string;
  readonly peak: string;
}

const INTERFACES: readonly Interface[] = [
  {
    folder: '/sys/fs/cgroup/memory',
    proof: ['memory.limit_in_bytes', ''],
    limit: 'memory.limit_in_bytes',
    events: 'memory.oom_control',
    peak: 'memory.max_usage_in_bytes',
  },
  {
    folder: '/sys/fs/cgroup',
    proof: ['cgroup.subtree_control', 'memory'],
    limit: 'memory.max',
    events: 'memory.events',
    peak: 'memory.peak',
  },
];

const find = (): Interface | undefined =>
  INTERFACES.find(({ folder, proof: [file, text] }) => {
    const path = join(folder, file);
    return existsSync(path) && readFileSync(path, 'utf8').includes(text);
  });

/** True if this machine allows limiting the memory of processes. */
export const canLimitMemory = (): boolean => find() !== undefined;

const UNITS: Readonly<Record<string, number>> = { Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 };

/** Bytes of a quantity such as `512Mi`. @throws Error for another form */
export const bytesOf = (quantity: string): number => {
  const [, number = '', unit = ''] = /^(\d+)(Ki|Mi|Gi)?$/.exec(quantity) ?? [];
  if (number === '') throw new Error(`${JSON.stringify(quantity)} is not an amount of memory such as 512Mi.`);
  return Number(number) * (UNITS[unit] ?? 1);
};

/** Makes a group with a limit; undefined where the machine does not allow it. */
export const makeMemoryGroup = (name: string, limitBytes: number): MemoryGroup | undefined => {
  const files = find();
  if (files === undefined) return undefined;
  const group = join(files.folder, name);
  mkdirSync(group);
  writeFileSync(join(group, files.limit), String(limitBytes));
  const read = (file: string): string => readFileSync(join(group, file), 'utf8');
  return {
    add: (pid) => writeFileSync(join(group, 'cgroup.procs'), String(pid)),
    use: () => ({
      oomKills: Number(/^oom_kill (\d+)$/m.exec(read(files.events))?.[1] ?? 0),
      peakBytes: Number(read(files.peak)),
    }),
    remove: () => {
      try {
        rmdirSync(group);
      } catch {
        // A process has not ended yet: an empty folder of the kernel remains until the next start.
      }
    },
  };
};
