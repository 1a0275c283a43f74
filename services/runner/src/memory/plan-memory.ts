import { FORMATS_PROCESSES } from '@weft/nodes/formats';
import { PROCESS_MEMORY } from '@weft/sandbox';
import type { Config } from '../config';

/** MiB that processes of Node share, and that count once. */
const SHARED_MB = 52;
/** MiB that a process which executes runs has besides its heap: what is compiled, buffers, connections. */
const OUTSIDE_HEAP_MB = 64;
/** Processes for runs alone, if there is memory for them. */
const MAX_ISOLATED = 3;

/** MiB that are taken where no setting says so and memory is not short. The process for large data: as the runner. */
const DEFAULT_MB = { isolated: 256, formats: 512 } as const;
/** MiB with less than which a runner rather has fewer processes for runs alone. */
const WANTED_MB = { heavy: 256, isolated: 128, formats: 192 } as const;
/** MiB with less than which nothing works. */
const LEAST_MB = { heavy: 128, isolated: 64, formats: 128 } as const;
/** How memory that is short is shared. */
const WEIGHT = { heavy: 4, isolated: 2, formats: 3 } as const;

/** Settings that say what a runner takes; 0: what there is room for. */
export type MemorySettings = Pick<
  Config,
  'heavyDataMb' | 'heavyMb' | 'isolatedMb' | 'isolated' | 'formatsMb' | 'sandboxes' | 'sandboxMb'
>;

/** What there is. */
export interface Machine {
  /** MiB of V8's heap in this process. */
  readonly heapMb: number;
  /** MiB that all processes of this runner may have together; undefined: nobody limits them. */
  readonly limitMb: number | undefined;
}

/** Processes of one sort, and what each may have at most. */
export interface MemoryPart {
  readonly what: string;
  readonly processes: number;
  readonly eachMb: number;
}

/** What a runner takes. */
export interface MemoryPlan {
  /** MiB of heap of the process for large data, and of each one for runs alone or in quarantine. */
  readonly heavyMb: number;
  readonly isolatedMb: number;
  /** Processes for runs alone. */
  readonly isolated: number;
  /** MiB of one task on foreign data. */
  readonly formatsMb: number;
  readonly parts: readonly MemoryPart[];
  /** MiB of all parts at their most. */
  readonly totalMb: number;
}

type Sizes = Pick<MemoryPlan, 'heavyMb' | 'isolatedMb' | 'formatsMb'>;

/** MiB that processes with code that are held for their owners may have together. */
export const heldCodeMb = ({ sandboxes }: Pick<MemorySettings, 'sandboxes'>): number =>
  (sandboxes + 1) * PROCESS_MEMORY.heldCode;

const partsOf = (settings: MemorySettings, heapMb: number, isolated: number, sizes: Sizes): readonly MemoryPart[] => {
  const heavy = settings.heavyDataMb === 0 ? 0 : 1;
  const { code, codeServer, regex } = PROCESS_MEMORY;
  return [
    { what: 'what all processes share', processes: 1, eachMb: SHARED_MB },
    { what: 'this process (--max-old-space-size)', processes: 1, eachMb: heapMb + OUTSIDE_HEAP_MB },
    { what: 'large data (RUNNER_HEAVY_MB)', processes: heavy, eachMb: sizes.heavyMb + OUTSIDE_HEAP_MB },
    {
      what: 'runs alone and in quarantine (RUNNER_ISOLATED, RUNNER_ISOLATED_MB)',
      processes: isolated + 1,
      eachMb: sizes.isolatedMb + OUTSIDE_HEAP_MB,
    },
    { what: 'regular expressions, for each of these', processes: isolated + 2 + heavy, eachMb: regex },
    {
      what: 'code at work (RUNNER_SANDBOXES, RUNNER_SANDBOX_MB)',
      processes: settings.sandboxes + 1,
      eachMb: settings.sandboxMb + code,
    },
    { what: 'what starts processes for code', processes: 1, eachMb: codeServer },
    { what: 'code that is held, in all', processes: 1, eachMb: heldCodeMb(settings) },
    {
      what: 'foreign data at work (RUNNER_FORMATS_MB)',
      processes: FORMATS_PROCESSES.working,
      eachMb: sizes.formatsMb + FORMATS_PROCESSES.ownMb,
    },
    { what: 'foreign data, held', processes: FORMATS_PROCESSES.held, eachMb: FORMATS_PROCESSES.heldMb },
  ];
};

const sumOf = (parts: readonly MemoryPart[]): number =>
  parts.reduce((sum, { processes, eachMb }) => sum + processes * eachMb, 0);

/** Sizes that are not stated get what the stated ones leave, in proportion and up to their defaults. */
const sizesFor = (settings: MemorySettings, { heapMb, limitMb }: Machine, isolated: number): Sizes => {
  const stated: Sizes = {
    heavyMb: settings.heavyMb,
    isolatedMb: settings.isolatedMb,
    formatsMb: settings.formatsMb,
  };
  const most: Sizes = { heavyMb: heapMb, isolatedMb: DEFAULT_MB.isolated, formatsMb: DEFAULT_MB.formats };
  const heavyWeight = settings.heavyDataMb === 0 ? 0 : WEIGHT.heavy;
  const weights =
    (stated.heavyMb === 0 ? heavyWeight : 0) +
    (stated.isolatedMb === 0 ? WEIGHT.isolated * (isolated + 1) : 0) +
    (stated.formatsMb === 0 ? WEIGHT.formats * FORMATS_PROCESSES.working : 0);
  const left =
    limitMb === undefined ? Infinity : Math.max(0, limitMb - sumOf(partsOf(settings, heapMb, isolated, stated)));
  const unit = weights === 0 ? 0 : left / weights;
  const sizeOf = (given: number, weight: number, least: number, upTo: number): number =>
    given === 0 ? Math.max(least, Math.min(upTo, Math.floor(unit * weight))) : given;
  return {
    heavyMb: sizeOf(stated.heavyMb, WEIGHT.heavy, LEAST_MB.heavy, most.heavyMb),
    isolatedMb: sizeOf(stated.isolatedMb, WEIGHT.isolated, LEAST_MB.isolated, most.isolatedMb),
    formatsMb: sizeOf(stated.formatsMb, WEIGHT.formats, LEAST_MB.formats, most.formatsMb),
  };
};

const isAsWanted = ({ heavyMb, isolatedMb, formatsMb }: Sizes): boolean =>
  heavyMb >= WANTED_MB.heavy && isolatedMb >= WANTED_MB.isolated && formatsMb >= WANTED_MB.formats;

/**
 * What all processes of a runner may have together: as much as the settings say, and where they do not, as much as
 * there is room for.
 */
export const planMemory = (settings: MemorySettings, machine: Machine): MemoryPlan => {
  const planFor = (isolated: number): MemoryPlan => {
    const sizes = sizesFor(settings, machine, isolated);
    const parts = partsOf(settings, machine.heapMb, isolated, sizes);
    return { ...sizes, isolated, parts, totalMb: sumOf(parts) };
  };
  if (settings.isolated !== 0) return planFor(settings.isolated);
  for (let isolated = MAX_ISOLATED; isolated > 1; isolated -= 1) {
    const plan = planFor(isolated);
    if (fits(plan, machine) && isAsWanted(plan)) return plan;
  }
  return planFor(1);
};

/** True if there is room for all of a plan. */
export const fits = ({ totalMb }: Pick<MemoryPlan, 'totalMb'>, { limitMb }: Pick<Machine, 'limitMb'>): boolean =>
  limitMb === undefined || totalMb <= limitMb;

/** What does not fit, and what to change. */
export const explainMemory = ({ parts, totalMb }: MemoryPlan, limitMb: number): string => {
  const lines = parts
    .filter(({ processes }) => processes > 0)
    .map(({ what, processes, eachMb }) => `${processes} x ${eachMb} MiB: ${what}`);
  return (
    `The processes of this runner may take ${totalMb} MiB together, and its limit is ${Math.floor(limitMb)} MiB. ` +
    `Raise the limit, or lower --max-old-space-size in NODE_OPTIONS, RUNNER_SANDBOXES, RUNNER_SANDBOX_MB or what is ` +
    `stated of RUNNER_HEAVY_MB, RUNNER_ISOLATED, RUNNER_ISOLATED_MB and RUNNER_FORMATS_MB. It is the sum of ` +
    `${lines.join('; ')}.`
  );
};
