import { createGauge } from '@weft/service-kit/metrics';
import type { Loop, LoopOptions } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { ReadQueueState, QueueState } from '../domain/read/sweep-ports';

const executions = createGauge({
  name: 'weft_executions',
  help: 'Executions that have not ended, counted every 15 seconds by one replica, each up to 100,000.',
  labels: { state: ['queued', 'running', 'waiting'] },
});
const oldest = createGauge({
  name: 'weft_queue_oldest_seconds',
  help: 'Age of the oldest execution that no runner has claimed yet, in seconds; 0 if there is none.',
  labels: {},
});

/** Interval of counting, in milliseconds. */
const EVERY_MS = 15_000;
/** Maximum number of executions counted per state. */
const MOST = 100_000;

/** Dependencies of counting. */
export interface ShowQueueParts {
  readonly readState: ReadQueueState;
  /** True if this replica is the one that counts. */
  readonly isMine: () => boolean;
  readonly startLoop: (options: LoopOptions) => Loop;
  readonly logger: Logger;
  readonly clock: () => number;
}

/** Starts counting queued, running and waiting executions. Only the replica that counts exposes the gauges. */
export const startShowingQueue = ({ readState, isMine, startLoop, logger, clock }: ShowQueueParts): Loop => {
  let found: QueueState | undefined;
  const loop = startLoop({
    name: 'count-executions',
    everyMs: EVERY_MS,
    logger,
    tick: async () => {
      found = isMine() ? await readState(MOST) : undefined;
    },
  });
  const hidden = [
    executions.read(() =>
      found === undefined
        ? []
        : [
            [{ state: 'queued' }, found.queued],
            [{ state: 'running' }, found.running],
            [{ state: 'waiting' }, found.waiting],
          ],
    ),
    oldest.read(() => {
      if (found === undefined) return [];
      return [[{}, found.oldestAt === undefined ? 0 : Math.max(0, clock() - found.oldestAt.getTime()) / 1_000]];
    }),
  ];
  return {
    ...loop,
    stop: async () => {
      for (const hide of hidden) hide();
      await loop.stop();
    },
  };
};
