import { setTimeout as sleep } from 'node:timers/promises';
import type { Stack } from '@weft/local-stack';
import { quantile } from '../report';
import type { Violation } from '../checks/evidence';
import type { Figure } from './drill-result';

/** Lateness of the event loops of the runners of a stack, by their metrics, which say the most since they were read. */
export interface LoopWatch {
  readonly figures: () => Figure[];
  readonly violations: () => Violation[];
  readonly stop: () => Promise<void>;
}

const EVERY_MS = 1_000;
const ANSWER_MS = 5_000;
/** A loop that is later stops what all users share: heartbeats, claims and reports. */
const MAX_LATE_MS = 200;
/** The metric is the time between two looks of a timer with this interval. */
const INTERVAL_MS = 10;

const lateMsOf = async (port: string): Promise<number | undefined> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const value = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await answer.text())?.[1];
    return value === undefined ? undefined : Math.max(0, Number(value) * 1_000 - INTERVAL_MS);
  } catch {
    // What did not answer is late, which its next answer tells.
    return undefined;
  }
};

/** Begins to read the metrics of those runners that have a port for them. */
export const watchLoops = (stack: Stack): LoopWatch => {
  const runners = stack
    .of('runner')
    .flatMap(({ index, settings: { METRICS_PORT: port = '0' } }) =>
      port === '0' ? [] : [{ name: `runner-${index}`, port, lateMs: [] as number[] }],
    );
  let isStopped = false;
  const watch = async ({ port, lateMs }: (typeof runners)[number]): Promise<void> => {
    // The first answer is about all the time before.
    await lateMsOf(port);
    while (!isStopped) {
      await sleep(EVERY_MS);
      const late = await lateMsOf(port);
      if (late !== undefined) lateMs.push(late);
    }
  };
  const watching = Promise.all(runners.map(watch));
  return {
    figures: () =>
      runners.map(({ name, lateMs }) => [
        `loop of ${name} late, most in each second`,
        `p50 ${quantile(lateMs, 0.5).toFixed(0)}, p99 ${quantile(lateMs, 0.99).toFixed(0)}, ` +
          `most ${quantile(lateMs, 1).toFixed(0)} ms of ${MAX_LATE_MS}; ${lateMs.length} seconds`,
      ]),
    violations: () =>
      runners
        .filter(({ lateMs }) => lateMs.length === 0 || quantile(lateMs, 1) > MAX_LATE_MS)
        .map(({ name, lateMs }) => ({
          check: `the loop of a runner is never late by more than ${MAX_LATE_MS} ms`,
          executionId: '',
          what:
            lateMs.length === 0
              ? `${name}: its metrics were not read`
              : `${name}: ${quantile(lateMs, 1).toFixed(0)} ms`,
        })),
    stop: async () => {
      isStopped = true;
      await watching;
    },
  };
};
