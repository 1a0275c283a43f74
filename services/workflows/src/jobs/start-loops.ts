import { createIdlePolls, startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { Share } from '@weft/service-kit/replicas';
import type { UseCases } from '../compose';
import type { Config } from '../config';
import { RELEASE_LISTED_MS } from '../domain/routes/route-releases';
import { startShowingDeliveries } from '../observing/show-deliveries';
import { startFiringSchedules } from './fire-due-schedules';

export interface LoopDeps {
  readonly config: Config;
  readonly useCases: UseCases;
  /** This replica's share of the background work. */
  readonly share: Share;
  /** Interval at which due reviews of versions are read. */
  readonly collectMs: number;
  /** Finds the time at which the first poll for schedules, backfills or deliveries has something to do. */
  readonly findNextDue: (until: Date) => Promise<Date | undefined>;
  /** Number of events after which these polls may find something new. */
  readonly countEvents: () => number;
  readonly logger: Logger;
  /** Unix milliseconds by the clock of the store. */
  readonly clock: () => number;
}

export interface Loops {
  /** Wakes the backfill loop, so that a new backfill need not wait for the next tick. */
  readonly runBackfillsSoon: () => void;
  /** Wakes the loop of hooks, because some are due. */
  readonly keepHooksSoon: () => void;
  readonly areAlive: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Interval at which due deliveries are read. */
const DELIVER_MS = 1_000;

/** Interval at which due hooks are read. */
const HOOKS_MS = 1_000;
/** Interval at which hooks with another address than that of this replica are looked for. */
const MOVED_MS = 60_000;

const MOVED_HOOKS = 'recheck-moved-hooks';

const COLLECT_VERSIONS = 'collect-versions';

/** Starts the loops: due schedules, backfills, stored webhook calls, hooks, and the removal of unused versions. */
export const startLoops = (parts: LoopDeps): Loops => {
  const { config, useCases, share, collectMs, logger, clock } = parts;
  const everyMs = config.schedulePollMs;
  const polls = createIdlePolls({
    countEvents: parts.countEvents,
    // Other replicas write without notifying this one.
    learnsAll: () => share.count() === 1,
    findNextDue: parts.findNextDue,
    logger,
    clock,
  });
  const backfills = polls.startLoop({ name: 'run-backfills', everyMs, logger, tick: useCases.runBackfills });
  const hooks = polls.startLoop({ name: 'keep-hooks', everyMs: HOOKS_MS, logger, tick: useCases.keepHooks.tick });
  const loops: readonly Loop[] = [
    hooks,
    startLoop({
      name: MOVED_HOOKS,
      everyMs: MOVED_MS,
      logger,
      tick: async () => {
        if (share.isMine(MOVED_HOOKS)) await useCases.recheckMovedHooks();
      },
    }),
    polls.watch,
    startFiringSchedules({ fire: useCases.fireSchedules, everyMs, startLoop: polls.startLoop, logger, clock }),
    backfills,
    polls.startLoop({
      name: 'end-route-releases',
      everyMs: RELEASE_LISTED_MS,
      logger,
      tick: async () => void (await useCases.listReleases()),
    }),
    polls.startLoop({ name: 'deliver-stored-calls', everyMs: DELIVER_MS, logger, tick: useCases.deliverDue }),
    startShowingDeliveries({
      readPending: useCases.pendingDeliveries,
      isMine: () => share.isMine('count-deliveries'),
      startLoop: polls.startLoop,
      logger,
      clock,
    }),
    startLoop({
      name: COLLECT_VERSIONS,
      everyMs: collectMs,
      logger,
      tick: () => (share.isMine(COLLECT_VERSIONS) ? useCases.collectVersions() : Promise.resolve(false)),
    }),
  ];
  return {
    runBackfillsSoon: backfills.wake,
    keepHooksSoon: hooks.wake,
    areAlive: () => loops.every((loop) => loop.isAlive()),
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
      await useCases.keepHooks.untilIdle();
    },
  };
};
