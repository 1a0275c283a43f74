import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@weft/local-stack';
import { quantile } from '../report';
import type { Violation } from '../checks/evidence';
import type { Figure } from './scenario-result';

/** Lateness of the event loops of a stack's runners, by their metrics, which report the maximum since the last read. */
export interface LoopWatch {
  readonly figures: () => Figure[];
  readonly violations: () => Violation[];
  readonly stop: () => Promise<void>;
}

const EVERY_MS = 1_000;
const ANSWER_MS = 5_000;
/** A later loop delays everything that all users share: heartbeats, claims and reports. */
const MAX_LATE_MS = 200;

interface LateSecond {
  /** Maximum since the watch began. */
  readonly atMs: number;
  readonly lateMs: number;
}

const lateMsOf = async (port: string): Promise<number | undefined> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const value = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.text())?.[1];
    return value === undefined ? undefined : Number(value) * 1_000;
  } catch {
    // A process that did not answer is late; its next answer shows by how much.
    return undefined;
  }
};

/** Begins to read the metrics of those runners that have a port for them. */
export const watchLoops = (stack: Stack): LoopWatch => {
  const runners = stack
    .of('runner')
    .flatMap(({ index, settings: { METRICS_PORT: port = '0' } }) =>
      port === '0' ? [] : [{ name: `runner-${index}`, port, seconds: [] as LateSecond[] }],
    );
  const begunAt = Date.now();
  let isStopped = false;
  const watch = async ({ port, seconds }: (typeof runners)[number]): Promise<void> => {
    // The first answer covers all the time before.
    await lateMsOf(port);
    while (!isStopped) {
      await sleep(EVERY_MS);
      const late = await lateMsOf(port);
      if (late !== undefined) seconds.push({ atMs: Date.now() - begunAt, lateMs: late });
    }
  };
  const watching = Promise.all(runners.map(watch));
  return {
    figures: () =>
      runners.map(({ name, seconds }) => {
        const late = seconds.map(({ lateMs }) => lateMs);
        return [
          `loop of ${name} late, most in each second`,
          `p50 ${quantile(late, 0.5).toFixed(0)}, p99 ${quantile(late, 0.99).toFixed(0)}, ` +
            `most ${quantile(late, 1).toFixed(0)} ms of ${MAX_LATE_MS}; ${seconds.length} seconds`,
        ];
      }),
    violations: () =>
      runners.flatMap(({ name, seconds }) => {
        const check = `the loop of a runner is never late by more than ${MAX_LATE_MS} ms`;
        if (seconds.length === 0) return [{ check, executionId: '', what: `${name}: its metrics were not read` }];
        return seconds
          .filter(({ lateMs }) => lateMs > MAX_LATE_MS)
          .map(({ atMs, lateMs }) => ({
            check,
            executionId: '',
            what: `${name}: ${lateMs.toFixed(0)} ms, ${(atMs / 1_000).toFixed(0)} s after the beginning`,
          }));
      }),
    stop: async () => {
      isStopped = true;
      await watching;
    },
  };
};
