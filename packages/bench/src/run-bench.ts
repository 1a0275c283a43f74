import type { Report } from '@weft/local-stack';
import { join } from 'node:path';
import { measureCeilings } from './ceilings/measure-ceilings';
import { readMemory } from './cpu/memory';
import { measureEngine } from './engine/measure-engine';
import type { Load, LoadContext, Measured, PreparedLoad } from './loads/load';
import type { Options } from './options';
import { startOwnServer } from './own-server';
import type { Plan } from './plan';
import { memoryOf, summarise, type BenchResult, type LoadResult } from './result';
import type { Subject } from './stacks/subject';
import { checkSubject, startSubject } from './stacks/subject-kinds';
import { turnsOf } from './turns';

/** A run of the bench with the stacks that it measured. */
export interface BenchRun {
  readonly subjects: readonly Subject[];
  readonly result: BenchResult;
}

/** One subject of each stack. */
const stacksOf = (subjects: readonly Subject[]): readonly Subject[] =>
  subjects.filter(({ stateOf }) => stateOf === undefined);

type Prepared = ReadonlyMap<Load, ReadonlyMap<Subject, PreparedLoad>>;

const prepareLoads = async (
  loads: readonly Load[],
  subjects: readonly Subject[],
  context: LoadContext,
): Promise<Prepared> => {
  const prepared = new Map<Load, Map<Subject, PreparedLoad>>();
  for (const load of loads) {
    const onSubjects = new Map<Subject, PreparedLoad>();
    for (const subject of subjects) {
      const shared = subject.stateOf && onSubjects.get(subject.stateOf);
      onSubjects.set(subject, shared ?? (await load.prepare(subject, context)));
    }
    prepared.set(load, onSubjects);
  }
  return prepared;
};

const WARM_UP_PASSES = 4;

/**
 * Each stack gets the whole time, shared by the loads and alternating with the others: V8 forgets compiled code that a
 * stack has not used for minutes. The last pass tells how many requests fill a measurement.
 */
const warmUp = async (prepared: Prepared, subjects: readonly Subject[], seconds: number): Promise<void> => {
  const share = seconds / WARM_UP_PASSES / prepared.size;
  if (share === 0) return;
  for (let pass = 0; pass < WARM_UP_PASSES; pass += 1)
    for (const subject of subjects) {
      await subject.enter();
      for (const onSubjects of prepared.values()) await onSubjects.get(subject)?.warmUp(share);
    }
};

const measureLoads = async (
  prepared: Prepared,
  subjects: readonly Subject[],
  { rounds, seconds }: Options,
  reference: string | undefined,
  report: Report,
): Promise<LoadResult[]> => {
  const measured = new Map<Load, Map<string, Measured[]>>();
  for (const { load, round, subject } of turnsOf([...prepared.keys()], subjects, rounds)) {
    if (round === 0 && subject === subjects[0]) report(`Measuring ${load.name} ...`);
    await subject.enter();
    const result = await prepared.get(load)?.get(subject)?.measure(seconds);
    if (result === undefined) continue;
    const ofLoad = measured.get(load) ?? new Map<string, Measured[]>();
    measured.set(load, ofLoad.set(subject.name, [...(ofLoad.get(subject.name) ?? []), result]));
  }
  return [...measured].map(([load, ofLoad]) => summarise(load, ofLoad, reference));
};

const partsOf = ({ parts, name }: Subject): NonNullable<Subject['parts']> => {
  if (parts === undefined) throw new Error(`${name} has no parts to be measured separately.`);
  return parts;
};

const measure = async (
  plan: Plan,
  subjects: readonly Subject[],
  options: Options,
  report: Report,
): Promise<BenchResult> => {
  const [first] = subjects;
  if (first === undefined) throw new Error('There is no stack to measure.');
  if (plan.withCeilings) report('Measuring the ceilings ...');
  const ceilings = plan.withCeilings ? await measureCeilings(partsOf(first)) : undefined;
  const target = await startOwnServer(join(__dirname, 'loads/target-server-main.js'));
  try {
    report('Preparing the loads and warming up ...');
    const prepared = await prepareLoads(plan.loads, subjects, { targetUrl: target.url });
    await warmUp(prepared, subjects, options.warmUpSeconds);
    const loads = await measureLoads(prepared, subjects, options, plan.reference, report);
    if (plan.withEngine) report('Measuring the engine ...');
    const engine = plan.withEngine ? await measureEngine(first) : undefined;
    return {
      loads,
      ...(plan.reference === undefined ? {} : { reference: plan.reference }),
      ...(ceilings === undefined ? {} : { ceilings }),
      ...(engine === undefined ? {} : { engine }),
      memory: stacksOf(subjects).flatMap((subject) => memoryOf(subject, readMemory(subject.facts.processes))),
    };
  } finally {
    await target.stop();
  }
};

/**
 * Starts the stacks of the plan, measures them and stops them.
 * @param stopped rejects to end the run early
 */
export const runBench = async (
  plan: Plan,
  options: Options,
  report: Report,
  stopped: Promise<never>,
): Promise<BenchRun> => {
  const subjects: Subject[] = [];
  const start = async (): Promise<BenchResult> => {
    plan.subjects.forEach(checkSubject);
    for (const subject of plan.subjects) subjects.push(...(await startSubject(subject, report)));
    return Promise.race([measure(plan, subjects, options, report), ...subjects.map(({ stack }) => stack.failed)]);
  };
  try {
    return { subjects, result: await Promise.race([start(), stopped]) };
  } finally {
    await Promise.all(stacksOf(subjects).map(({ stack }) => stack.stop()));
  }
};
