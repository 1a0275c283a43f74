import { readdirSync, readFileSync } from 'node:fs';
import type { ServiceName, Stack } from '@weft/local-stack';
import type { DeployedLimit } from '@weft/local-stack/deployed-limits';
import type { Violation } from '../checks/evidence';
import type { Figure } from './scenario-result';

/** Memory of the processes of a stack, sampled each second. */
export interface MemoryWatch {
  /** Maximum of each process together with its children. */
  readonly figures: () => Figure[];
  readonly violations: () => Violation[];
  readonly stop: () => void;
}

const EVERY_MS = 1_000;
const MIB = 2 ** 20;

const fieldOf = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? '0');

/** Bytes in memory and parent of each process; those that ended meanwhile are left out. */
const processes = (): Map<number, { readonly bytes: number; readonly parent: number }> => {
  const found = new Map<number, { bytes: number; parent: number }>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const text = readFileSync(`/proc/${name}/status`, 'utf8');
      // memory shared with other processes, such as program files, counts for none of the children; the memory that
      // a copy for code shares with its server, 20 MiB, counts for each
      found.set(Number(name), {
        bytes: (fieldOf(text, 'RssAnon') + fieldOf(text, 'RssShmem')) * 1_024,
        parent: fieldOf(text, 'PPid'),
      });
    } catch {
      // it has ended
    }
  }
  return found;
};

/** Begins to sample anonymous memory, which is the part that permanently counts against a limit. */
export const watchMemory = (stack: Stack, limits: Readonly<Record<ServiceName, DeployedLimit>>): MemoryWatch => {
  const most = new Map<string, number>();
  const look = (): void => {
    const all = processes();
    const children = new Map<number, number[]>();
    for (const [pid, { parent }] of all) children.set(parent, [...(children.get(parent) ?? []), pid]);
    const sum = (pid: number): number =>
      (all.get(pid)?.bytes ?? 0) + (children.get(pid) ?? []).reduce((total, child) => total + sum(child), 0);
    for (const each of stack.processes) {
      const name = `${each.service}-${each.index}`;
      most.set(name, Math.max(most.get(name) ?? 0, sum(each.pid)));
    }
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  const limitOf = (service: ServiceName): number => limits[service].memoryBytes;
  const each = () =>
    stack.processes.map(({ service, index }) => ({
      name: `${service}-${index}`,
      bytes: most.get(`${service}-${index}`) ?? 0,
      limit: limitOf(service),
    }));
  return {
    figures: () =>
      each().map(({ name, bytes, limit }) => [
        `memory of ${name}, most`,
        `${(bytes / MIB).toFixed(0)} of ${(limit / MIB).toFixed(0)} MiB`,
      ]),
    violations: () =>
      each().flatMap(({ name, bytes, limit }) =>
        bytes <= limit
          ? []
          : [
              {
                check: 'memory stays within the limit of the deployment',
                executionId: '',
                what: `${name}: ${(bytes / MIB).toFixed(0)} of ${(limit / MIB).toFixed(0)} MiB`,
              },
            ],
      ),
    stop: () => clearInterval(timer),
  };
};
