import { startLoop, type Loop } from '@weft/service-kit/lifecycle';
import type { Logger } from '@weft/service-kit/logging';
import type { UseCases } from '../compose';
import type { Config } from '../config';
import type { Clock, Publish } from '../domain/ports';
import type { Broker } from '../messaging/broker';
import type { Store } from '../store/open-store';
import { createCollectChunks } from './collect-chunks';
import { createExpireLeases } from './expire-leases';
import { createFollowUpEnds } from './follow-up-ends';
import { createRepublishUnclaimed } from './republish-unclaimed';
import { createRestoreQueue } from './restore-queue';
import { createSweep } from './sweep';
import { createTimeOutExecutions } from './time-out-executions';
import { createWakeDue } from './wake-due';

/** What the background loops are made of. */
export interface LoopParts {
  readonly config: Config;
  readonly store: Store;
  readonly useCases: UseCases;
  readonly broker: Broker;
  readonly publish: Publish;
  /** Called at every look at waiting calls; listens to the other replicas once the broker is there. */
  readonly listen: () => void;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** The loops of this process. */
export interface Loops {
  /** An execution ended: its follow-ups are carried out soon. */
  readonly followUpSoon: () => void;
  readonly areTurning: () => boolean;
  readonly stop: () => Promise<void>;
}

/** How often everything that is waited for is looked at. */
const LOOK_MS = 1_000;

/** Milliseconds in which ends are gathered before their follow-ups are looked for. */
const GATHER_MS = 20;

const sweepOf = ({ config, store, useCases, broker, publish, logger, clock }: LoopParts): (() => Promise<boolean>) => {
  const { apply, wakeParent, retentionMs } = useCases;
  const { findDue } = store;
  return createSweep(
    [
      { name: 'restore-queue', run: createRestoreQueue({ ensureQueue: broker.ensureQueue, makeAllDue: store.makeAllDue }) },
      { name: 'expire-leases', run: createExpireLeases({ findDue, apply, clock, leaseMs: config.leaseMs, retentionMs }) },
      { name: 'time-out-executions', run: createTimeOutExecutions({ findDue, apply, clock, retentionMs }) },
      { name: 'wake-due', run: createWakeDue({ findDue, apply, wakeParent, publish, clock }) },
      { name: 'republish-unclaimed', run: createRepublishUnclaimed({ findDue, apply, publish, clock }) },
      { name: 'collect-chunks', run: createCollectChunks(store.findOrphans, store.removeParts, clock) },
    ],
    logger,
  );
};

/** Starts the loops: the sweep, the follow-ups, and the look at waiting calls. */
export const startLoops = (parts: LoopParts): Loops => {
  const { config, store, useCases, listen, logger, clock } = parts;
  const loops: Loop[] = [];
  const loop = (name: string, everyMs: number, turn: () => Promise<boolean | void>): Loop => {
    const started = startLoop({ name, everyMs, turn, logger });
    loops.push(started);
    return started;
  };
  loop('sweep', config.sweepMs, sweepOf(parts));
  const followUps = loop('follow-ups', config.sweepMs, createFollowUpEnds(store.findDue, useCases.carryOut, clock));
  loop('waiters', LOOK_MS, () => {
    listen();
    return useCases.waiters.lookAtAll();
  });
  let timer: NodeJS.Timeout | undefined;
  return {
    followUpSoon: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        followUps.wake();
      }, GATHER_MS);
    },
    areTurning: () => loops.every((one) => one.isTurning()),
    stop: async () => {
      clearTimeout(timer);
      await Promise.all(loops.map((one) => one.stop()));
    },
  };
};
