import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { InFlightMap } from '@weft/service-kit/in-flight';
import type { Logger } from '@weft/service-kit/logging';
import { type ChildOptions, createChildProcess } from '../child/child-process';
import type { RunElsewhere } from '../domain/end/hand-over';
import { readFromOverShare, type FromOverShare, type ToOverShare } from './messages';

/**
 * The process of a runner for runs of owners with large data: reading, copying and writing 20 MB of JSON blocks the
 * thread for a second, here without delaying other runs. It has a low priority.
 */
export interface OverShareProcess {
  /** Hands a claimed execution over. The more runs it rejects for lack of room, the longer they are released. */
  readonly run: RunElsewhere;
  /** Asks at once whether the claims on these executions are still valid. */
  readonly recheck: (executionIds: readonly string[]) => void;
  /** These executions are followed. */
  readonly follow: (executionIds: readonly string[]) => void;
  /** Lets the process release its runs and exit. */
  readonly stop: () => Promise<void>;
}

/** Options of the process. */
export interface OverShareProcessOptions {
  /** MiB of heap of the process. */
  readonly heapMb: number;
  /** Maximum number of executions waiting for a response; more are refused. */
  readonly maxWaiting: number;
  /** A run of this owner uses large data there. */
  readonly onLarge: (ownerKey: string) => void;
  readonly logger: Logger;
  /** Serves the pipe over which it uses the pools of this process. */
  readonly servePools: (pipe: Duplex) => void;
  /** As for every child process. */
  readonly createId?: () => string;
  readonly onDied?: NonNullable<ChildOptions<never>['onDied']>;
  /** Notifies the followers of these executions. */
  readonly tellProgressed: (executionIds: readonly string[]) => void;
  /** Sends parts of text of an execution, as a DeltaBatch, to those who follow it. */
  readonly tellStreamed: (executionId: string, batch: Uint8Array) => void;
  /** Description in logs; the process for large data if absent. */
  readonly name?: string;
  /** The program of the process; that of this folder if absent. */
  readonly program?: string;
  /** Milliseconds in which the process must respond; 10,000 if absent. */
  readonly answerMs?: number;
}

const ANSWER_MS = 10_000;
/** The lowest priority on a busy machine; no limit on an idle one. */
const NICENESS = 10;

/** Weight of the last run in the average share of rejected runs. */
const LAST_WEIGHT = 0.05;
/** Milliseconds for which a rejected run is released, when most are rejected and when few are. */
const MAX_DELAY_MS = 60_000;
const MIN_DELAY_MS = 5_000;

const keyOf = ({ executionId, fence }: { readonly executionId: string; readonly fence: number }): string =>
  `${executionId} ${fence}`;

/** The process is started on first use. */
export const createOverShareProcess = ({
  heapMb,
  maxWaiting,
  onLarge,
  logger,
  servePools,
  tellProgressed,
  tellStreamed,
  name = 'the process for runs with large data',
  program = join(__dirname, 'main.js'),
  answerMs = ANSWER_MS,
  ...identity
}: OverShareProcessOptions): OverShareProcess => {
  const waiting = new InFlightMap<string, (isTaken: boolean) => void>();
  let refusedShare = 0;
  let running = 0;
  let isStopping = false;

  /** Random, so that runs released together do not return together. */
  const outcomeOf = (isTaken: boolean): Awaited<ReturnType<RunElsewhere>> => {
    refusedShare += LAST_WEIGHT * ((isTaken ? 0 : 1) - refusedShare);
    const mean = MIN_DELAY_MS + (MAX_DELAY_MS - MIN_DELAY_MS) * refusedShare ** 2;
    return isTaken ? 'taken' : { delayMs: Math.round(mean * (0.75 + Math.random() / 2)) };
  };
  const settle = (key: string, isTaken: boolean): void => {
    waiting.get(key)?.(isTaken);
    waiting.delete(key);
    endWhenIdle();
  };
  const endWhenIdle = (): void => child.setIdle(running + waiting.size === 0);
  const onMessage = (message: FromOverShare): void => {
    switch (message.kind) {
      case 'taken':
        running += 1;
        return settle(keyOf(message), true);
      case 'refused':
        return settle(keyOf(message), false);
      case 'ended':
        running -= 1;
        return endWhenIdle();
      case 'large':
        return onLarge(message.ownerKey);
    }
  };
  const child = createChildProcess<ToOverShare, FromOverShare>({
    program,
    heapMb,
    niceness: NICENESS,
    logger,
    servePools,
    tellProgressed,
    tellStreamed,
    name,
    ...identity,
    read: readFromOverShare,
    onMessage,
    onExit: () => {
      running = 0;
      for (const key of [...waiting.keys()]) settle(key, false);
    },
  });
  return {
    run: (handedOver) => {
      if (isStopping || waiting.size >= maxWaiting) return Promise.resolve(outcomeOf(false));
      child.setIdle(false);
      child.start();
      const key = keyOf(handedOver.claimed);
      return new Promise((resolve) => {
        // If the process responds later, it finds that the claim is lost.
        const limit = setTimeout(() => settle(key, false), answerMs);
        waiting.set(key, (isTaken) => {
          clearTimeout(limit);
          resolve(outcomeOf(isTaken));
        });
        child.send({ kind: 'run', handedOver });
      });
    },
    recheck: child.recheck,
    follow: child.follow,
    stop: async () => {
      isStopping = true;
      await child.stop();
    },
  };
};
