import { FORMATS_PROCESSES } from '@weft/nodes/formats';
import { PROCESS_MEMORY } from '@weft/sandbox';
import type { Config } from '../config';

/** MiB that Node processes share, counted once. */
const SHARED_MB = 52;
/** MiB that a process executing runs needs besides its heap: compiled code, buffers, connections. */
const OUTSIDE_HEAP_MB = 64;
/** MiB of the thread of a watchdog. */
const WATCHDOG_MB = 10;
/** Number of processes for isolated runs, if there is memory for them. */
const MAX_ISOLATED = 3;

/** Defaults in MiB if there is enough memory. The process for large data: as the runner. */
const DEFAULT_MB = { isolated: 256, formats: 512 } as const;
/** MiB below which a runner rather reduces the number of processes for isolated runs. */
const WANTED_MB = { overShare: 256, isolated: 128, formats: 192 } as const;
/** Minimum in MiB. */
const LEAST_MB = { overShare: 128, isolated: 64, formats: 128 } as const;
/** How scarce memory is shared. */
const WEIGHT = { overShare: 4, isolated: 2, formats: 3 } as const;

/** Settings that override the plan. */
export type MemorySettings = Pick<Config, 'sandboxes' | 'sandboxMb'>;

/** Available memory. */
export interface Machine {
  /** MiB of V8's heap in this process. */
  readonly heapMb: number;
  /** MiB that all processes of this runner may use together; undefined: no limit. */
  readonly limitMb: number | undefined;
}

/** Processes of one sort, and the maximum memory of each. */
export interface MemoryPart {
  readonly what: string;
  readonly processes: number;
  readonly eachMb: number;
}

/** A runner's memory plan. */
export interface MemoryPlan {
  /** MiB of heap of the process for large data, and of each one for isolated or quarantined runs. */
  readonly overShareMb: number;
  readonly isolatedMb: number;
  /** Number of processes for isolated runs. */
  readonly isolated: number;
  /** MiB of one task on untrusted data. */
  readonly formatsMb: number;
  readonly parts: readonly MemoryPart[];
  /** Maximum MiB of all parts. */
  readonly totalMb: number;
}

type Sizes = Pick<MemoryPlan, 'overShareMb' | 'isolatedMb' | 'formatsMb'>;

/** MiB of all processes that are kept for the code of their owners. */
export const heldCodeMb = ({ sandboxes }: Pick<MemorySettings, 'sandboxes'>): number =>
  (sandboxes + 1) * PROCESS_MEMORY.heldCode;

const partsOf = (settings: MemorySettings, heapMb: number, isolated: number, sizes: Sizes): readonly MemoryPart[] => {
  const { code, codeServer, regex } = PROCESS_MEMORY;
  return [
    { what: 'memory shared by all processes', processes: 1, eachMb: SHARED_MB },
    { what: 'this process (--max-old-space-size)', processes: 1, eachMb: heapMb + OUTSIDE_HEAP_MB },
    { what: 'large data', processes: 1, eachMb: sizes.overShareMb + OUTSIDE_HEAP_MB },
    { what: 'isolated and quarantined runs', processes: isolated + 1, eachMb: sizes.isolatedMb + OUTSIDE_HEAP_MB },
    { what: 'regular expressions, for each of these', processes: isolated + 3, eachMb: regex },
    { what: 'watchdogs, for each of these', processes: isolated + 3, eachMb: WATCHDOG_MB },
    {
      what: 'running code (RUNNER_SANDBOXES, RUNNER_SANDBOX_MB)',
      processes: settings.sandboxes + 1,
      eachMb: settings.sandboxMb + code,
    },
    { what: 'the server that forks code processes', processes: 1, eachMb: codeServer },
    { what: 'idle code processes, in total', processes: 1, eachMb: heldCodeMb(settings) },
    {
      what: 'tasks on untrusted data',
      processes: FORMATS_PROCESSES.working,
      eachMb: sizes.formatsMb + FORMATS_PROCESSES.ownMb,
    },
    { what: 'idle processes for untrusted data', processes: FORMATS_PROCESSES.held, eachMb: FORMATS_PROCESSES.heldMb },
  ];
};

const sumOf = (parts: readonly MemoryPart[]): number =>
  parts.reduce((sum, { processes, eachMb }) => sum + processes * eachMb, 0);

const NO_SIZES: Sizes = { overShareMb: 0, isolatedMb: 0, formatsMb: 0 };

/** Sizes share the memory left by the parts without a setting, in proportion and up to their defaults. */
const sizesFor = (settings: MemorySettings, { heapMb, limitMb }: Machine, isolated: number): Sizes => {
  const weights = WEIGHT.overShare + WEIGHT.isolated * (isolated + 1) + WEIGHT.formats * FORMATS_PROCESSES.working;
  const left =
    limitMb === undefined ? Infinity : Math.max(0, limitMb - sumOf(partsOf(settings, heapMb, isolated, NO_SIZES)));
  const sizeOf = (weight: number, least: number, most: number): number =>
    Math.max(least, Math.min(most, Math.floor((left / weights) * weight)));
  return {
    overShareMb: sizeOf(WEIGHT.overShare, LEAST_MB.overShare, heapMb),
    isolatedMb: sizeOf(WEIGHT.isolated, LEAST_MB.isolated, DEFAULT_MB.isolated),
    formatsMb: sizeOf(WEIGHT.formats, LEAST_MB.formats, DEFAULT_MB.formats),
  };
};

const isAsWanted = ({ overShareMb, isolatedMb, formatsMb }: Sizes): boolean =>
  overShareMb >= WANTED_MB.overShare && isolatedMb >= WANTED_MB.isolated && formatsMb >= WANTED_MB.formats;

/** MiB that all processes of a runner may use together: all that is left. */
export const planMemory = (settings: MemorySettings, machine: Machine): MemoryPlan => {
  const planFor = (isolated: number): MemoryPlan => {
    const sizes = sizesFor(settings, machine, isolated);
    const parts = partsOf(settings, machine.heapMb, isolated, sizes);
    return { ...sizes, isolated, parts, totalMb: sumOf(parts) };
  };
  for (let isolated = MAX_ISOLATED; isolated > 1; isolated -= 1) {
    const plan = planFor(isolated);
    if (fits(plan, machine) && isAsWanted(plan)) return plan;
  }
  return planFor(1);
};

/** Whether there is room for all of a plan. */
export const fits = ({ totalMb }: Pick<MemoryPlan, 'totalMb'>, { limitMb }: Pick<Machine, 'limitMb'>): boolean =>
  limitMb === undefined || totalMb <= limitMb;

/** Describes what does not fit, and what to change. */
export const explainMemory = ({ parts, totalMb }: MemoryPlan, limitMb: number): string => {
  const lines = parts.map(({ what, processes, eachMb }) => `${processes} x ${eachMb} MiB: ${what}`);
  return (
    `The processes of this runner may take ${totalMb} MiB together, and its limit is ${Math.floor(limitMb)} MiB. ` +
    `Raise the limit, or lower --max-old-space-size in NODE_OPTIONS, RUNNER_SANDBOXES or RUNNER_SANDBOX_MB. It is ` +
    `the sum of ${lines.join('; ')}.`
  );
};
