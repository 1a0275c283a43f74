import { createIdlePolls, startLoop, type Loop, type LoopOptions } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { UseCases } from '../compose';
import type { Config } from '../config';
import { leaseWatchMs } from '../domain/state/back-off';
import { QUARANTINE_MS } from '../domain/claim/quarantine';
import type { RunnerSigns } from '../domain/claim/runner-signs';
import type { Clock } from '../domain/state/ports';
import type { Share } from '../domain/read/sweep-ports';
import type { Broker } from '../messaging/broker';
import type { QueuedPublisher } from '../messaging/publish-queued';
import { createFindNextDue } from '../store/queue/find-next-due';
import type { Store } from '../store/open-store';
import { createAnnounceQuarantine } from './announce-quarantine';
import { createExpireLeases } from './expire-leases';
import { createHookLoop } from './run-completion-hooks';
import { createEnforceRetentionCounts } from './enforce-retention-counts';
import { createPurgeBudget } from './purge-budget';
import { createPurgeExpired, createReviewDueRows } from './purge-expired';
import { createRepublishUnclaimed, type RepublishPorts } from './republish-unclaimed';
import { createRestoreQueue } from './restore-queue';
import { startSendingNotifications } from './send-notifications';
import { createSweep } from './sweep';
import { createTimeOutExecutions } from './time-out-executions';
import { createWakeDue } from './wake-due';
import { startShowingQueue } from '../observing/show-queue';

/** Dependencies of the background loops. */
export interface LoopDeps {
  readonly config: Config;
  readonly store: Store;
  readonly useCases: UseCases;
  readonly broker: Broker;
  readonly publisher: QueuedPublisher;
  /** Signs that the processes of runners have exited. */
  readonly signs: RunnerSigns;
  /** This replica's share of the background work. */
  readonly share: Share;
  /**
   * Called at every poll of waiting calls: subscribes to the other replicas once the broker is reachable, and handles
   * ids waiting to be published.
   */
  readonly listen: () => void;
  /** Reports a version in quarantine to all runners. */
  readonly announceQuarantine: (versionId: string) => void;
  /** Number of events after which a job may find new work: calls, and writes to executions. */
  readonly countEvents: () => number;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Monotonic milliseconds. */
  readonly monotonic: Clock;
}

/** The loops of this process. */
export interface Loops {
  /** An execution was ended by this replica: its completion hooks run soon. */
  readonly performActionsSoon: (executionId: string) => void;
  /** A process of a runner may have exited: its leases end, and runs that it had not claimed are announced again. */
  readonly onRunnerEnd: () => void;
  readonly areAlive: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Interval at which all awaited executions are polled. */
const POLL_MS = 1_000;

/** Milliseconds in which ends are collected before their completion hooks are read. */
const BATCH_MS = 20;

/** Nothing here talks to the broker: if it hangs, no deadline or wake-up is delayed. */
const sweepOf = ({ store, useCases, publisher, share, logger, clock }: LoopDeps): (() => Promise<boolean>) => {
  const { apply, wakeParent, retentionMs } = useCases;
  const { publish } = publisher;
  const { findDue } = store;
  return createSweep(
    [
      { name: 'time-out-executions', run: createTimeOutExecutions({ findDue, share, apply, clock, retentionMs }) },
      { name: 'wake-due', run: createWakeDue({ findDue, share, apply, wakeParent, publish, clock }) },
      { name: 'fill-slots', run: useCases.fillAwaitedSlots },
    ],
    logger,
  );
};

/** Work that no caller waits for has a separate loop, so that it never delays leases and deadlines. */
const housekeepingOf = ({ store, useCases, share, logger, clock, monotonic }: LoopDeps): (() => Promise<boolean>) => {
  const { findExpired, findLiveFamilies, removeAll } = store;
  return createSweep(
    [
      {
        name: 'enforce-retention-counts',
        run: createEnforceRetentionCounts({
          rules: store.retentionRules,
          findBeyond: store.findBeyond,
          apply: useCases.apply,
          clock,
        }),
      },
      {
        name: 'purge-expired',
        run: createPurgeExpired({
          findExpired,
          findLiveFamilies,
          removeAll,
          apply: useCases.apply,
          share,
          takePurges: createPurgeBudget({ countRecords: store.countRecords, replicas: share.count, clock: monotonic }),
          clock,
        }),
      },
      { name: 'review-rows', run: createReviewDueRows(store.reviewRows, share, clock) },
    ],
    logger,
  );
};

/** Jobs that keep the queue and the store of executions consistent. */
const queueKeeperOf = ({
  store,
  useCases,
  broker,
  publisher,
  share,
  announceQuarantine,
  logger,
  clock,
  takeRunnerEnd,
}: LoopDeps & Pick<RepublishPorts, 'takeRunnerEnd'>): (() => Promise<boolean>) => {
  const { publish, waiting, heldBack, holdsBack, overflows } = publisher;
  const unlessAway = (count: () => number) => (): number | undefined =>
    broker.connection() === undefined ? undefined : count();
  const ports = { share, apply: useCases.apply, publish, clock };
  return createSweep(
    [
      {
        name: 'restore-queue',
        run: createRestoreQueue({
          ...ports,
          backlog: unlessAway(() => waiting() + heldBack()),
          ensureQueue: broker.ensureQueue,
          streamTime: broker.streamTime,
          store: store.restores,
        }),
      },
      {
        name: 'republish-unclaimed',
        run: createRepublishUnclaimed({
          ...ports,
          backlog: unlessAway(waiting),
          holdsBack,
          overflows,
          takeRunnerEnd,
          postpone: store.postponePublication,
          findDue: store.findDue,
          oldestWaiting: broker.oldestWaiting,
        }),
      },
      {
        name: 'announce-quarantine',
        run: createAnnounceQuarantine({ quarantine: store.quarantine, announce: announceQuarantine, share, clock }),
      },
    ],
    logger,
  );
};

/** Starts the loops: the sweep, the queue, the completion hooks, and the poll of waiting calls. */
export const startLoops = (parts: LoopDeps): Loops => {
  const { config, store, useCases, broker, publisher, share, listen, logger, clock } = parts;
  let connections = 0;
  const polls = createIdlePolls({
    countEvents: () => parts.countEvents() + connections,
    // Other replicas write without notifying this one. Without the broker, queue and runners are checked by polls.
    learnsAll: () => share.count() === 1 && broker.connection() !== undefined && publisher.waiting() === 0,
    findNextDue: createFindNextDue(store, clock),
    logger,
    clock,
    monotonic: parts.monotonic,
  });
  const loops: Loop[] = [polls.watch];
  const started = (one: Loop): Loop => {
    loops.push(one);
    return one;
  };
  const loop = (name: string, everyMs: number, tick: LoopOptions['tick']): Loop =>
    started(polls.startLoop({ name, everyMs, tick, logger }));
  loop('sweep', config.sweepMs, sweepOf(parts));
  loop('housekeeping', config.sweepMs, housekeepingOf(parts));
  // On a separate timer: the sweep must not delay the takeover of a dead runner's work.
  const { apply, retentionMs } = useCases;
  const watchMs = Math.min(config.sweepMs, leaseWatchMs(config.leaseMs));
  const leases = loop(
    'leases',
    watchMs,
    createExpireLeases({
      findDue: store.findDue,
      apply,
      publish: publisher.publish,
      signs: parts.signs,
      clock,
      monotonic: parts.monotonic,
      leaseMs: config.leaseMs,
      retentionMs,
      quarantine: async (versionId, why) => {
        await store.quarantine.add(versionId, new Date(clock() + QUARANTINE_MS[why]));
        parts.announceQuarantine(versionId);
        logger.warn({ versionId, why }, 'runs of this version are executed in isolation: one of them ended its runner');
      },
      onExpired: ({ _id: executionId, lease, fence }, isGivenUp, { cause }) =>
        logger.warn(
          { executionId, runnerId: lease?.runnerId, fence, ...(cause === 'unknown' ? {} : { cause }) },
          isGivenUp
            ? 'lease expired; the execution is ended as crashed'
            : 'lease expired; the execution is queued again',
        ),
      random: Math.random,
    }),
  );
  let runnerEnd: Date | undefined;
  const takeRunnerEnd = (): Date | undefined => {
    const taken = runnerEnd;
    runnerEnd = undefined;
    return taken;
  };
  const queue = loop('queue', config.sweepMs, queueKeeperOf({ ...parts, takeRunnerEnd }));
  const hookLoop = createHookLoop({ findDue: store.findDue, share, runHooks: useCases.runHooks, clock });
  const completionHooks = loop('completion-hooks', config.sweepMs, hookLoop.tick);
  started(
    startShowingQueue({
      readState: store.readQueueState,
      isMine: () => share.isMine('count-executions'),
      startLoop: polls.startLoop,
      logger,
      clock,
    }),
  );
  started(
    startSendingNotifications({
      notifications: useCases.notifications,
      isMine: () => share.isMine('count-subscriptions'),
      startLoop: polls.startLoop,
      logger,
      monotonic: parts.monotonic,
    }),
  );
  loop('retry-jobs', Math.min(POLL_MS, config.sweepMs), useCases.runRetryJobs);
  // Without waiting calls and followers it reads nothing, and a wait in this process wakes it.
  started(
    startLoop({
      name: 'waiters',
      everyMs: POLL_MS,
      logger,
      tick: async () => {
        listen();
        await Promise.all([useCases.waiters.pollAll(), useCases.followers.poll()]);
      },
    }),
  );
  broker.onConnected(() => {
    connections += 1;
    publisher.wake();
    queue.wake();
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    performActionsSoon: (executionId) => {
      hookLoop.ended(executionId);
      timer ??= setTimeout(() => {
        timer = undefined;
        completionHooks.wake();
      }, BATCH_MS);
    },
    onRunnerEnd: () => {
      runnerEnd = new Date(clock());
      leases.wake();
      queue.wake();
    },
    areAlive: () => loops.every((one) => one.isAlive()),
    stop: async () => {
      clearTimeout(timer);
      await Promise.all(loops.map((one) => one.stop()));
    },
  };
};
