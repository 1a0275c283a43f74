import { fork, type ChildProcess as NodeProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Duplex } from 'node:stream';
import type { Logger } from '@weft/service-kit/logging';
import { POOLS_DESCRIPTOR } from '../pools/pool-messages';
import { type EndedTurn, parseEndedTurn } from '../watchdog/ended-turn';
import { isAlive, readProgressed, readStreamed, type ToChild } from './messages';

/** Options of a child process that executes runs. */
export interface ChildOptions<Received> {
  /** Path of the program, which calls `runWorker`. */
  readonly program: string;
  /** MiB of V8's heap, including the young generation; more than 24. */
  readonly heapMb: number;
  /** Niceness, 1 to 19; absent: normal priority. */
  readonly niceness?: number;
  readonly logger: Logger;
  /**
   * Serves the pipe over which the child uses the pools of this process. The pipe is closed when the child has exited.
   */
  readonly servePools: (pipe: Duplex) => void;
  /** Returns the id for a new process in the leases of its claims; absent: it makes one. */
  readonly createId?: () => string;
  /**
   * Called with the id of a process that has died, whose claims are no longer renewed, and the turn for which its
   * watchdog ended it.
   */
  readonly onDied?: (id: string, ended?: EndedTurn) => void;
  /** Notifies the followers of these executions. */
  readonly tellProgressed: (executionIds: readonly string[]) => void;
  /** Sends parts of text of an execution, as a DeltaBatch, to those who follow it. */
  readonly tellStreamed: (executionId: string, batch: Uint8Array) => void;
  /** Description in logs: "the process that ...". */
  readonly name: string;
  /** Milliseconds between pings of its thread; 1,000 if absent. */
  readonly pingMs?: number;
  /** Parses a message; undefined if it is invalid. */
  readonly read: (value: unknown) => Received | undefined;
  readonly onMessage: (message: Received) => void;
  /** Called when the process has exited. @param hasDied false: it stopped because it had nothing to run */
  readonly onExit: (hasDied: boolean) => void;
}

/** A child process that is started on demand. */
export interface ChildProcess<Sent> {
  /** Whether it accepts messages. */
  readonly isOpen: () => boolean;
  /** Starts it unless it is running. */
  readonly start: () => void;
  /** Sends a message; dropped if the process has exited. */
  readonly send: (message: Sent) => void;
  /** Asks at once whether the claims on these executions are still valid. */
  readonly recheck: (executionIds: readonly string[]) => void;
  /** These executions are followed. A process that starts soon after learns of them too. */
  readonly follow: (executionIds: readonly string[]) => void;
  /** Sets whether it has anything to run. It exits after a minute without work. */
  readonly setIdle: (isIdle: boolean) => void;
  /** Stops it and waits for its exit; kills it after 12 s. */
  readonly stop: () => Promise<void>;
}

const PING_MS = 1_000;
/**
 * Unanswered pings after which the process is killed: the claims of its runs are lost by then. A count rather than a
 * time, since this process may be suspended as well.
 */
const MAX_UNANSWERED = 30;
/** Idle time before the process exits. */
const IDLE_MS = 60_000;
/** Time a process may take to release its runs. */
const STOP_MS = 12_000;
/** Age of announcements that a new process still gets: replicas repeat theirs every second. */
const FOLLOWED_MS = 1_500;
/** Maximum number of those announcements. */
const MAX_ANNOUNCEMENTS = 100;

/**
 * MiB of one semi-space of V8's young generation, which is three times as large and counts on top of the old
 * generation.
 */
const SEMI_SPACE_MB = 8;
/** Sets the total heap size in MiB, whatever NODE_OPTIONS contains. */
const heapFlags = (heapMb: number): readonly string[] => [
  `--max-semi-space-size=${SEMI_SPACE_MB}`,
  `--max-old-space-size=${heapMb - 3 * SEMI_SPACE_MB}`,
];

const NICE = '/usr/bin/nice';

/**
 * The command that starts a program with low priority for all of its threads. It gets the whole machine while that is
 * idle. On systems without `nice` the command is unchanged.
 * @param niceness 1 to 19; each step reduces the share of the program to about four fifths
 */
const withNiceness = (niceness: number, ...command: readonly string[]): readonly string[] =>
  existsSync(NICE) ? [NICE, '-n', String(niceness), ...command] : command;

/** The pipe over which the watchdog of a child process reports the turn for which it ends the process. */
export const WATCHDOG_DESCRIPTOR = 5;

/** The report of a watchdog, once nothing can follow it; undefined: there is none. */
const readWatchdog = (pipe: unknown): Promise<EndedTurn | undefined> =>
  new Promise((resolve) => {
    if (!(pipe instanceof Duplex)) return resolve(undefined);
    let text = '';
    pipe.setEncoding('utf8');
    pipe.on('data', (piece: string) => (text += piece));
    pipe.on('error', () => undefined);
    pipe.once('close', () => resolve(parseEndedTurn(text)));
  });

/** Supervises a child process: kills it if its thread is blocked, and reports its exit. */
export const createChildProcess = <Sent extends object, Received>({
  program,
  heapMb,
  niceness,
  logger,
  servePools,
  tellProgressed,
  tellStreamed,
  name,
  pingMs = PING_MS,
  read,
  onMessage,
  onExit,
  createId,
  onDied,
}: ChildOptions<Received>): ChildProcess<Sent> => {
  let child: NodeProcess | undefined;
  let isStopping = false;
  let unanswered = 0;
  let idle: NodeJS.Timeout | undefined;
  let followed: readonly { readonly at: number; readonly executionIds: readonly string[] }[] = [];

  const send = (message: Sent | ToChild): void => {
    if (child?.connected === true) child.send(message, () => undefined);
  };
  const watch = (one: NodeProcess): void => {
    unanswered = 0;
    const pings = setInterval(() => {
      if (unanswered < MAX_UNANSWERED) {
        unanswered += 1;
        return send({ kind: 'ping' });
      }
      logger.error(`${name} no longer responds and will be terminated`);
      one.kill('SIGKILL');
    }, pingMs);
    pings.unref();
    one.once('exit', () => clearInterval(pings));
  };
  const end = (): void => {
    if (child?.connected === true) child.disconnect();
  };
  return {
    isOpen: () => child?.connected === true,
    start: () => {
      if (child !== undefined) return;
      const node = [process.execPath, ...process.execArgv, ...heapFlags(heapMb)];
      const [execPath = process.execPath, ...execArgv] =
        niceness === undefined ? node : withNiceness(niceness, ...node);
      const id = createId?.();
      const started = fork(program, id === undefined ? [] : [id], {
        execPath,
        execArgv,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe', 'pipe'],
        // Preserves the types of bytes and dates.
        serialization: 'advanced',
      });
      child = started;
      watch(started);
      // The text of its first run may have readers already.
      const since = performance.now() - FOLLOWED_MS;
      for (const { at, executionIds } of followed) if (at >= since) send({ kind: 'follow', executionIds });
      const pipe = started.stdio[POOLS_DESCRIPTOR];
      if (pipe instanceof Duplex) {
        servePools(pipe);
        started.once('exit', () => pipe.destroy());
      }
      started.on('message', (value) => {
        if (isAlive(value)) {
          unanswered = 0;
          return;
        }
        const progressed = readProgressed(value);
        if (progressed !== undefined) return tellProgressed(progressed.executionIds);
        const streamed = readStreamed(value);
        if (streamed !== undefined) return tellStreamed(streamed.executionId, streamed.batch);
        const message = read(value);
        if (message !== undefined && child === started) onMessage(message);
      });
      const ended = readWatchdog(started.stdio.at(WATCHDOG_DESCRIPTOR));
      const gone = (hasDied: boolean): void => {
        if (child !== started) return;
        child = undefined;
        clearTimeout(idle);
        onExit(hasDied);
      };
      started.on('error', (error) => {
        logger.warn({ err: error }, `${name} cannot be reached`);
        // If the process cannot be created, there is no exit event.
        if (started.pid === undefined) gone(true);
      });
      started.once('exit', (code, signal) => {
        if (code !== 0 && !isStopping)
          logger.warn({ code, signal }, `${name} has died; its runs will be claimed again`);
        if (code !== 0 && id !== undefined) void ended.then((turn) => onDied?.(id, turn));
        gone(code !== 0);
      });
    },
    send,
    recheck: (executionIds) => send({ kind: 'recheck', executionIds }),
    follow: (executionIds) => {
      const at = performance.now();
      followed = [...followed.filter((one) => at - one.at < FOLLOWED_MS), { at, executionIds }].slice(
        -MAX_ANNOUNCEMENTS,
      );
      send({ kind: 'follow', executionIds });
    },
    setIdle: (isIdle) => {
      clearTimeout(idle);
      idle = undefined;
      if (!isIdle) return;
      idle = setTimeout(end, IDLE_MS);
      idle.unref();
    },
    stop: async () => {
      isStopping = true;
      clearTimeout(idle);
      const ending = child;
      if (ending === undefined) return;
      const ended = new Promise<void>((resolve) => ending.once('exit', () => resolve()));
      const limit = setTimeout(() => ending.kill('SIGKILL'), STOP_MS);
      end();
      await ended;
      clearTimeout(limit);
    },
  };
};
