import type { Duplex } from 'node:stream';
import { InFlightMap } from '@weft/service-kit/in-flight';
import type { Logger } from '@weft/service-kit/logging';
import { type ChildOptions, createChildProcess } from '../child/child-process';
import { readFromIsolated, type FromIsolated, type ToIsolated } from './messages';

/** One of the processes for isolated runs. */
export interface Lane {
  /** Whether another run may begin there. */
  readonly isFree: () => boolean;
  /** Number of its runs, including the last one assigned. */
  readonly running: () => number;
  /** Whether a process is starting or restarting. */
  readonly isStarting: () => boolean;
  /** Whether a run has begun a moment ago: soon the lane will be free, or the process dead. */
  readonly isTrying: () => boolean;
  /** Whether there is no process, and one may be started. */
  readonly mayStart: () => boolean;
  readonly start: () => void;
  /** Claims an execution there. Only while it is free. @returns whether the service has responded about it */
  readonly run: (executionId: string) => Promise<boolean>;
  readonly recheck: (executionIds: readonly string[]) => void;
  readonly follow: (executionIds: readonly string[]) => void;
  readonly stop: () => Promise<void>;
}

/** Options of a lane. */
export interface LaneOptions {
  readonly program: string;
  readonly heapMb: number;
  readonly logger: Logger;
  readonly servePools: (pipe: Duplex) => void;
  /** Notifies the followers of these executions. */
  readonly tellProgressed: (executionIds: readonly string[]) => void;
  /** Sends parts of text of an execution, as a DeltaBatch, to those who follow it. */
  readonly tellStreamed: (executionId: string, batch: Uint8Array) => void;
  readonly pingMs?: number;
  readonly createId?: () => string;
  readonly onDied?: NonNullable<ChildOptions<FromIsolated>['onDied']>;
  /** Its process has died; with the runs that it had begun, of which some may have ended before. */
  readonly onDeath?: (executionIds: readonly string[]) => void;
  /** It may accept a run now, or be started. */
  readonly onChange: () => void;
  /** Its process exited before it accepted a run. */
  readonly onUnstartable: () => void;
}

/** Delay between the death of a process and the next start. */
const RESTART_MS = 500;

/** Time for which others wait for a run that has begun, before they begin next to harmless runs. */
const TRIAL_MS = 1_500;

/** Runs that a lane remembers: more than run there at the same time. */
const MAX_BEGUN = 32;

type State = 'none' | 'pausing' | 'starting' | 'ready';

/** Supervises one process, which executes one run after the other. */
export const createLane = ({ onChange, onUnstartable, onDeath, ...options }: LaneOptions): Lane => {
  let begun: readonly string[] = [];
  const asked = new InFlightMap<string, (isAnswered: boolean) => void>();
  let state: State = 'none';
  let isFree = false;
  let running = 0;
  let trial: NodeJS.Timeout | undefined;

  const endTrial = (): void => {
    clearTimeout(trial);
    trial = undefined;
  };
  const settle = (executionId: string, isAnswered: boolean): void => {
    asked.get(executionId)?.(isAnswered);
    asked.delete(executionId);
  };
  const restUntilNeeded = (): void => child.setIdle(running + asked.size === 0);
  const onMessage = (message: FromIsolated): void => {
    switch (message.kind) {
      case 'taken':
        return settle(message.executionId, message.isAnswered);
      case 'running':
        running = message.count;
        return restUntilNeeded();
      case 'free':
        isFree = true;
        state = 'ready';
        endTrial();
        restUntilNeeded();
        return onChange();
    }
  };
  const onExit = (hasDied: boolean): void => {
    const wasReady = state === 'ready';
    if (hasDied) onDeath?.(begun);
    begun = [];
    endTrial();
    isFree = false;
    running = 0;
    state = 'pausing';
    setTimeout(() => {
      state = 'none';
      onChange();
    }, RESTART_MS).unref();
    for (const executionId of [...asked.keys()]) settle(executionId, false);
    if (!wasReady) onUnstartable();
  };
  const child = createChildProcess<ToIsolated, FromIsolated>({
    ...options,
    name: 'the process for isolated runs',
    read: readFromIsolated,
    onMessage,
    onExit,
  });
  return {
    isFree: () => isFree && child.isOpen(),
    running: () => running + asked.size,
    isStarting: () => state === 'starting' || state === 'pausing',
    isTrying: () => trial !== undefined,
    mayStart: () => state === 'none',
    start: () => {
      state = 'starting';
      child.start();
    },
    run: (executionId) => {
      isFree = false;
      child.setIdle(false);
      if (running + asked.size === 0) begun = [];
      begun = [...begun, executionId].slice(-MAX_BEGUN);
      trial = setTimeout(() => {
        trial = undefined;
        onChange();
      }, TRIAL_MS);
      trial.unref();
      return new Promise((resolve) => {
        asked.set(executionId, resolve);
        child.send({ kind: 'run', executionId });
      });
    },
    recheck: child.recheck,
    follow: child.follow,
    stop: child.stop,
  };
};
