import { cpuBetween, readCpu, type NamedProcess } from '../cpu/process-cpu';
import type { Subject } from '../stacks/subject';
import type { Answers } from './send-requests';

/** A measured value. The key names it in the JSON result, where keys are stable. */
export interface Figure {
  readonly key: string;
  readonly label: string;
  readonly unit: '/s' | 'ms' | 'MiB' | 'times';
  readonly value: number;
}

/** The result of one measurement. */
export interface Measured {
  /** Runs or requests that were sent. */
  readonly count: number;
  readonly failed: number;
  readonly figures: readonly Figure[];
  /** CPU milliseconds of all of them together, by process. */
  readonly cpu: ReadonlyMap<string, number>;
}

/** A load, prepared on one stack. */
export interface PreparedLoad {
  /** Applies it without measuring, and finds out how many requests fill a measurement. */
  readonly warmUp: (seconds: number) => Promise<void>;
  readonly measure: (seconds: number) => Promise<Measured>;
}

/** Servers of the bench's own that loads need. */
export interface LoadContext {
  /** An HTTP server that answers every request with a short JSON object. */
  readonly targetUrl: string;
}

/** One of the loads of `npm run bench`. */
export interface Load {
  /** For `--only`, and in the JSON result. */
  readonly name: string;
  readonly title: string;
  /** Unit for which CPU is reported. */
  readonly per: 'run' | 'request';
  /** The part whose throughput bounds it, and how many operations of that part it needs each time. */
  readonly ceiling?: { readonly of: 'storeBatched' | 'expressHop'; readonly needs: number; readonly text: string };
  readonly prepare: (subject: Subject, context: LoadContext) => Promise<PreparedLoad>;
}

/** The ceiling of operations that cross one hop. */
export const EXPRESS = { of: 'expressHop', needs: 1, text: 'Express with one hop' } as const;

/** Runs some work, and returns the CPU time that the processes used meanwhile. */
export const withCpu = async <Result>(
  processes: readonly NamedProcess[],
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly cpu: ReadonlyMap<string, number> }> => {
  const before = readCpu(processes);
  const result = await work();
  return { result, cpu: cpuBetween(before, readCpu(processes)) };
};

/** A rate with the key `perSecond`. */
export const rateFigure = (perSecond: number, label = 'rate'): Figure => ({
  key: 'perSecond',
  label,
  unit: '/s',
  value: perSecond,
});

/** The latencies that every load shows. */
export const latencyFigures = ({ p50Ms, p99Ms }: Pick<Answers, 'p50Ms' | 'p99Ms'>): Figure[] => [
  { key: 'p50Ms', label: 'p50', unit: 'ms', value: p50Ms },
  { key: 'p99Ms', label: 'p99', unit: 'ms', value: p99Ms },
];
