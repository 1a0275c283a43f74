import type { Ceilings } from './ceilings/measure-ceilings';
import type { EngineResult } from './engine/measure-engine';
import type { Figure, Load, Measured } from './loads/load';
import type { Subject } from './stacks/subject';
import { ratioOf, spreadOf, type Spread } from './statistics';

/** A figure over the rounds. */
export interface FigureResult extends Spread {
  readonly key: string;
  readonly label: string;
  readonly unit: Figure['unit'];
  /** The value of each round. */
  readonly rounds: readonly number[];
}

/** Ratio of a stack's figure to that of the reference, round by round. */
export interface RatioResult extends Spread {
  readonly subject: string;
  readonly key: string;
}

/** A load on one stack. */
export interface SubjectResult {
  readonly subject: string;
  /** Number of runs or requests over all rounds, and how many of them failed. */
  readonly count: number;
  readonly failed: number;
  readonly figures: readonly FigureResult[];
}

/** A load on all stacks. */
export interface LoadResult {
  readonly name: string;
  readonly title: string;
  readonly per: Load['per'];
  readonly subjects: readonly SubjectResult[];
  readonly ratios: readonly RatioResult[];
}

/** Everything that was measured. */
export interface BenchResult {
  readonly loads: readonly LoadResult[];
  /** Name of the stack that ratios are taken to; absent if there is one stack. */
  readonly reference?: string;
  readonly ceilings?: Ceilings;
  readonly engine?: EngineResult;
  /** Resident memory by stack and process, before and after the loads. */
  readonly memory: readonly MemoryResult[];
}

/** Resident memory of the processes of one name. */
export interface MemoryResult {
  readonly subject: string;
  readonly process: string;
  readonly idleMiB: number;
  readonly afterMiB: number;
}

/** Key of the CPU time of all processes together; those of single processes begin with it and a dot. */
export const CPU = 'cpu';

/** The CPU milliseconds of a run or request, by process, as figures. */
const cpuFigures = ({ cpu, count }: Measured): Figure[] => {
  const figure = (key: string, label: string, totalMs: number): Figure => ({
    key,
    label,
    unit: 'ms',
    value: totalMs / Math.max(1, count),
  });
  const total = [...cpu.values()].reduce((sum, each) => sum + each, 0);
  return [figure(CPU, '', total), ...[...cpu].map(([name, each]) => figure(`${CPU}.${name}`, name, each))];
};

const overRounds = (rounds: readonly Measured[]): FigureResult[] => {
  const all = rounds.map((measured) => [...measured.figures, ...cpuFigures(measured)]);
  return (all[0] ?? []).map(({ key, label, unit }) => {
    const values = all.map((figures) => figures.find((each) => each.key === key)?.value ?? Number.NaN);
    return { key, label, unit, rounds: values, ...spreadOf(values) };
  });
};

const ratiosTo = (reference: SubjectResult, subject: SubjectResult): RatioResult[] =>
  subject.figures.flatMap(({ key, rounds }) => {
    const ratio = ratioOf(rounds, reference.figures.find((each) => each.key === key)?.rounds ?? []);
    return ratio === undefined ? [] : [{ subject: subject.subject, key, ...ratio }];
  });

/**
 * Summarises the rounds of a load.
 * @param measured the rounds of each stack, by its name
 * @param reference name of the stack that the others are compared with
 */
export const summarise = (
  { name, title, per }: Pick<Load, 'name' | 'title' | 'per'>,
  measured: ReadonlyMap<string, readonly Measured[]>,
  reference: string | undefined,
): LoadResult => {
  const subjects = [...measured].map(([subject, rounds]) => ({
    subject,
    count: rounds.reduce((sum, { count }) => sum + count, 0),
    failed: rounds.reduce((sum, { failed }) => sum + failed, 0),
    figures: overRounds(rounds),
  }));
  const compared = subjects.find(({ subject }) => subject === reference);
  return {
    name,
    title,
    per,
    subjects,
    ratios:
      compared === undefined
        ? []
        : subjects.filter((each) => each !== compared).flatMap((each) => ratiosTo(compared, each)),
  };
};

/** The memory of a stack. @param afterMiB by process, as {@link Subject.idleMiB} */
export const memoryOf = ({ name, idleMiB }: Subject, afterMiB: ReadonlyMap<string, number>): MemoryResult[] =>
  [...new Set([...idleMiB.keys(), ...afterMiB.keys()])].map((process) => ({
    subject: name,
    process,
    idleMiB: idleMiB.get(process) ?? 0,
    afterMiB: afterMiB.get(process) ?? 0,
  }));
