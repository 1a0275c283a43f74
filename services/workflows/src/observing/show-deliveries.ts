import type { Loop, LoopOptions } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import { createGauge } from '@weft/service-kit/metrics';
import type { PendingDeliveries } from '../domain/deliveries/delivery';

const pending = createGauge({
  name: 'weft_deliveries_pending',
  help: 'Stored webhook calls that have not been started yet, counted every 15 seconds by one replica, up to 10,000.',
  labels: {},
});
const oldest = createGauge({
  name: 'weft_delivery_oldest_seconds',
  help: 'Age of the oldest stored webhook call that has not been started yet, in seconds; 0 if there is none.',
  labels: {},
});

/** Interval of counting, in milliseconds. */
const EVERY_MS = 15_000;
/** Maximum number of deliveries that are counted. */
const MOST = 10_000;

/** Dependencies of counting. */
export interface ShowDeliveriesParts {
  readonly readPending: (most: number) => Promise<PendingDeliveries>;
  /** True if this replica is the one that counts. */
  readonly isMine: () => boolean;
  readonly startLoop: (options: LoopOptions) => Loop;
  readonly logger: Logger;
  /** Unix milliseconds. */
  readonly clock: () => number;
}

/** Starts counting pending deliveries. Only the replica that counts exposes the gauges. */
export const startShowingDeliveries = ({
  readPending,
  isMine,
  startLoop,
  logger,
  clock,
}: ShowDeliveriesParts): Loop => {
  let found: PendingDeliveries | undefined;
  const loop = startLoop({
    name: 'count-deliveries',
    everyMs: EVERY_MS,
    logger,
    tick: async () => {
      found = isMine() ? await readPending(MOST) : undefined;
    },
  });
  const hidden = [
    pending.read(() => (found === undefined ? [] : [[{}, found.count]])),
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
