import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Logger } from '@weft/service-kit/logging';
import { readFromIsolated, type ToIsolated } from './messages';

/** The process of a runner in which nothing runs beside a run over which a runner died. */
export interface Isolation {
  /**
   * Has an execution claimed and run there.
   * @returns whether the service has answered about it. False: it must be announced again.
   */
  readonly run: (executionId: string) => Promise<boolean>;
  /** Asks at once whether the claims on these executions still hold. */
  readonly recheck: (executionIds: readonly string[]) => void;
  /** Lets the process release what it runs, and end. */
  readonly stop: () => Promise<void>;
}

/** Dependencies of isolation. */
export interface IsolationOptions {
  /** MiB of heap of the process. */
  readonly heapMb: number;
  readonly logger: Logger;
}

/** Runs that wait for their turn; more are left to other runners. */
const MAX_WAITING = 200;
/** A process that no run needs is ended. */
const IDLE_MS = 60_000;
/** Between the end of a process that died and the start of the next one. */
const RESTART_MS = 500;
/** Time a process may take to release what it runs. */
const STOP_MS = 12_000;

interface Waiting {
  readonly executionId: string;
  readonly settle: (isAnswered: boolean) => void;
}

/**
 * One process, started when it is first needed. It takes one run after the other, and the next beside a run that has
 * shown for a while that it does no harm. Its death costs only what ran in it.
 */
export const createIsolation = ({ heapMb, logger }: IsolationOptions): Isolation => {
  const waiting: Waiting[] = [];
  const asked = new Map<string, Waiting>();
  let child: ChildProcess | undefined;
  let isFree = false;
  let isReady = false;
  let isStopping = false;
  let idle: NodeJS.Timeout | undefined;

  const tell = (message: ToIsolated): void => {
    if (child?.connected === true) child.send(message, () => undefined);
  };
  const next = (): void => {
    clearTimeout(idle);
    if (child === undefined && waiting.length > 0 && !isStopping) start();
    if (child === undefined || !isFree) return;
    const one = waiting.shift();
    if (one === undefined) {
      idle = setTimeout(() => child?.disconnect(), IDLE_MS);
      idle.unref();
      return;
    }
    isFree = false;
    asked.set(one.executionId, one);
    tell({ kind: 'run', executionId: one.executionId });
  };
  const onMessage = (value: unknown): void => {
    const message = readFromIsolated(value);
    if (message?.kind === 'taken') {
      asked.get(message.executionId)?.settle(message.isAnswered);
      asked.delete(message.executionId);
    }
    if (message?.kind === 'free') {
      isFree = true;
      isReady = true;
      next();
    }
  };
  const onExit = (one: ChildProcess, code: number | null, signal: NodeJS.Signals | null): void => {
    if (child !== one) return;
    child = undefined;
    isFree = false;
    if (code !== 0 && !isStopping)
      logger.warn(
        { code, signal },
        'the process that executes runs alone has died; its run is taken up again when its lease has run out',
      );
    for (const { settle } of asked.values()) settle(false);
    asked.clear();
    // One that does not even start is left to the runners whose does.
    if (!isReady) for (const { settle } of waiting.splice(0)) settle(false);
    isReady = false;
    if (waiting.length > 0) setTimeout(next, RESTART_MS).unref();
  };
  const start = (): void => {
    const started = fork(join(__dirname, 'main.js'), [], {
      execArgv: [...process.execArgv, `--max-old-space-size=${heapMb}`],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child = started;
    started.on('message', onMessage);
    started.on('error', (error) =>
      logger.warn({ err: error }, 'the process that executes runs alone cannot be reached'),
    );
    started.on('exit', (code, signal) => onExit(started, code, signal));
  };
  return {
    run: (executionId) => {
      if (isStopping || waiting.length >= MAX_WAITING) return Promise.resolve(false);
      return new Promise((settle) => {
        waiting.push({ executionId, settle });
        next();
      });
    },
    recheck: (executionIds) => tell({ kind: 'recheck', executionIds }),
    stop: async () => {
      isStopping = true;
      clearTimeout(idle);
      for (const { settle } of waiting.splice(0)) settle(false);
      const ending = child;
      if (ending === undefined) return;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      const limit = setTimeout(() => ending.kill('SIGKILL'), STOP_MS);
      if (ending.connected) ending.disconnect();
      await ended;
      clearTimeout(limit);
    },
  };
};
