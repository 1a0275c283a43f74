import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Report } from './worker';

export interface SeedOptions {
  readonly from: number;
  readonly count: number;
  /** Processes that simulate at the same time. */
  readonly jobs: number;
  readonly mutation?: string;
  /** Stops after the first seed with a violation. */
  readonly stopsAtFirst?: boolean;
}

/** Seeds of one process: what a killed process of a simulation leaves behind is only freed with it. */
const SEEDS_PER_PROCESS = 250;

/** Most V8 heap is short-lived: with a large young generation it is rarely collected. */
const NODE_OPTIONS = ['--max-semi-space-size=64'];

const WORKER = join(__dirname, 'worker.js');

const isReport = (line: string): boolean => line.startsWith('{"seed"');

/** Simulates some seeds in one process. @throws Error if it fails */
const runProcess = async (
  from: number,
  count: number,
  { mutation, stopsAtFirst }: SeedOptions,
  onReport: (report: Report) => void,
): Promise<void> => {
  const child = spawn(
    process.execPath,
    [
      ...NODE_OPTIONS,
      WORKER,
      `--from=${from}`,
      `--seeds=${count}`,
      ...(mutation === undefined ? [] : [`--mutation=${mutation}`]),
      ...(stopsAtFirst === true ? ['--first'] : []),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const errors: string[] = [];
  child.stderr.on('data', (data) => errors.push(String(data)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) if (isReport(line)) onReport(JSON.parse(line));
  const code = await exited;
  if (code !== 0) throw new Error(`A process of the simulation failed (${code}): ${errors.join('')}`);
};

/** Simulates seeds. @returns the reports in the order of the seeds */
export const runSeeds = async (options: SeedOptions): Promise<Report[]> => {
  const { from, count, jobs, stopsAtFirst } = options;
  const reports: Report[] = [];
  let next = from;
  let isOver = false;
  const runSome = async (): Promise<void> => {
    while (next < from + count && !isOver) {
      const begin = next;
      const size = Math.min(SEEDS_PER_PROCESS, Math.ceil(count / jobs), from + count - begin);
      next += size;
      await runProcess(begin, size, options, (report) => {
        reports.push(report);
        isOver ||= stopsAtFirst === true && report.violations.length > 0;
      });
    }
  };
  await Promise.all(Array.from({ length: jobs }, runSome));
  return reports.sort((one, other) => one.seed - other.seed);
};

/** Simulates one seed and prints what happened. @returns the exit code of its process */
export const printSeed = (seed: number, mutation?: string): Promise<number | null> => {
  const parameters = [
    WORKER,
    `--from=${seed}`,
    '--trace',
    ...(mutation === undefined ? [] : [`--mutation=${mutation}`]),
  ];
  const child = spawn(process.execPath, [...NODE_OPTIONS, ...parameters], { stdio: 'inherit' });
  return new Promise((resolve) => child.once('exit', resolve));
};
