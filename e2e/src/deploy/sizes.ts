import { bytesOf } from '@weft/local-stack/deployed-limits';
import type { Rendered } from './rendered';

/** Sums over all pods of an instance. */
export interface Totals {
  readonly pods: number;
  readonly requestsMib: number;
  readonly limitsMib: number;
  readonly cpus: number;
}

interface Resources {
  readonly requests?: Readonly<Record<string, string>>;
  readonly limits?: Readonly<Record<string, string>>;
}
interface Container {
  readonly resources?: Resources;
}
interface Workload {
  readonly replicas?: number;
  readonly template?: {
    readonly spec: { readonly containers: readonly Container[]; readonly initContainers?: readonly Container[] };
  };
}

const MIB = 2 ** 20;

const millicoresOf = (quantity: string | undefined): number => {
  const [, number, unit] = /^(\d+)(m?)$/.exec(quantity ?? '') ?? [];
  if (number === undefined) throw new Error(`${String(quantity)} is not an amount of CPU.`);
  return Number(number) * (unit === 'm' ? 1 : 1_000);
};

/** The scheduler counts the larger of all containers together and of the largest init container. */
const ofPod = ({ template }: Workload, amountOf: (resources: Resources | undefined) => number): number => {
  const amounts = (containers: readonly Container[] = []): number[] =>
    containers.map(({ resources }) => amountOf(resources));
  const together = amounts(template?.spec.containers).reduce((sum, one) => sum + one, 0);
  return Math.max(together, ...amounts(template?.spec.initContainers));
};

/** Requests and limits of all pods of Deployments and StatefulSets. */
export const totalsOf = (objects: readonly Rendered<Workload>[]): Totals => {
  const workloads = objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet')
    .map(({ spec }) => spec);
  const sum = (amountOf: (resources: Resources | undefined) => number): number =>
    workloads.reduce((total, workload) => total + (workload.replicas ?? 1) * ofPod(workload, amountOf), 0);
  return {
    pods: workloads.reduce((total, { replicas = 1 }) => total + replicas, 0),
    requestsMib: sum((resources) => bytesOf(resources?.requests?.['memory']) / MIB),
    limitsMib: sum((resources) => bytesOf(resources?.limits?.['memory']) / MIB),
    cpus: sum((resources) => millicoresOf(resources?.requests?.['cpu'])) / 1_000,
  };
};

/** The cells of a row of documentation. */
export const cellsOf = ({ pods, requestsMib, limitsMib, cpus }: Totals): string => {
  const mib = (amount: number): string => `${amount.toLocaleString('en-US')} MiB`;
  return `${pods} | ${mib(requestsMib)} | ${mib(limitsMib)} | ${cpus}`;
};
