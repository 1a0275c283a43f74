import { fork, type ChildProcess as NodeProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Duplex } from 'node:stream';
import type { Logger } from '@weft/service-kit/logging';
import { POOLS_DESCRIPTOR } from '../pools/pool-messages';
import { isAlive, type ToChild } from './messages';

/** Settings of a child process that executes runs. */
export interface ChildOptions<Received> {
  /** Path of its program, which calls `runWorker`. */
  readonly program: string;
  /** MiB of V8's heap, young generation included; more than 24. */
  readonly heapMb: number;
  /** 1 to 19: how far it stands behind other processes on a busy machine; absent: it does not. */
  readonly niceness?: number;
  readonly logger: Logger;
  /** Serves the pipe over which it uses the pools of this process. The pipe is closed when it has ended. */
  readonly servePools: (pipe: Duplex) => void;
  /** What it is, in logs: "the process that ...". */
  readonly name: string;
  /** Milliseconds between two questions whether its thread is free; 1,000 if absent. */
  readonly pingMs?: number;
  /** Reads a message; undefined if it is none. */
  readonly read: (value: unknown) => Received | undefined;
  readonly onMessage: (message: Received) => void;
  /** It has ended, for whatever reason. */
  readonly onExit: () => void;
}

/** A child process that is started on demand. */
export interface ChildProcess<Sent> {
  /** True while it takes messages. */
  readonly isOpen: () => boolean;
  /** Starts it, unless it runs. */
  readonly start: () => void;
  /** Sends a message; one to a process that has ended is lost. */
  readonly send: (message: Sent) => void;
  /** Asks at once whether the claims on these executions still hold. */
  readonly recheck: (executionIds: readonly string[]) => void;
  /** States whether it has anything to run. One that has nothing for a minute ends. */
  readonly setIdle: (isIdle: boolean) => void;
  /** Ends it and waits for that, 12 s at most before it is killed. */
  readonly stop: () => Promise<void>;
}

const PING_MS = 1_000;
/**
 * Unanswered questions after which a process is ended: whatever it runs has lost its claim by then. Counted, since this
 * process may stand still as well.
 */
const MAX_UNANSWERED = 30;
/** A process that nothing needs for so long is ended. */
const IDLE_MS = 60_000;
/** Time a process may take to release what it runs. */
const STOP_MS = 12_000;

/** MiB of a half of V8's young generation, which is three times as large, and which V8 adds to the old one. */
const SEMI_SPACE_MB = 8;
/** A heap of so many MiB in all, whatever NODE_OPTIONS says for this process. */
const heapFlags = (heapMb: number): readonly string[] => [
  `--max-semi-space-size=${SEMI_SPACE_MB}`,
  `--max-old-space-size=${heapMb - 3 * SEMI_SPACE_MB}`,
];

const NICE = '/usr/bin/nice';

/**
 * The command that starts a program behind others on a busy machine, all of its threads; on an idle one it has
 * everything. Where the system has no `nice` it is the command itself.
 * @param niceness 1 to 19; each step leaves the program about four fifths of the share that it would have
 */
const withNiceness = (niceness: number, ...command: readonly string[]): readonly string[] =>
  existsSync(NICE) ? [NICE, '-n', String(niceness), ...command] : command;

/** Supervises a child process: one whose thread is never free is killed, and its end is told. */
export const createChildProcess = <Sent extends object, Received>({
  program,
  heapMb,
  niceness,
  logger,
  servePools,
  name,
  pingMs = PING_MS,
  read,
  onMessage,
  onExit,
}: ChildOptions<Received>): ChildProcess<Sent> => {
  let child: NodeProcess | undefined;
  let isStopping = false;
  let unanswered = 0;
  let idle: NodeJS.Timeout | undefined;

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
      const started = fork(program, [], {
        execPath,
        execArgv,
        stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
        // Bytes and dates arrive as what they are.
        serialization: 'advanced',
      });
      child = started;
      watch(started);
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
        const message = read(value);
        if (message !== undefined && child === started) onMessage(message);
      });
      const gone = (): void => {
        if (child !== started) return;
        child = undefined;
        clearTimeout(idle);
        onExit();
      };
      started.on('error', (error) => {
        logger.warn({ err: error }, `${name} cannot be reached`);
        // One that could not even be made has no exit.
        if (started.pid === undefined) gone();
      });
      started.once('exit', (code, signal) => {
        if (code !== 0 && !isStopping)
          logger.warn({ code, signal }, `${name} has died; its runs will be claimed again when their leases expire`);
        gone();
      });
    },
    send,
    recheck: (executionIds) => send({ kind: 'recheck', executionIds }),
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
