import { join } from 'node:path';
import { MessageChannel, Worker } from 'node:worker_threads';
import { createSharedMemory, createThreadWord, type OpenHold } from './thread-word';
import type { WatchdogEnd, WatcherSettings } from './watcher-settings';

/** Milliseconds of CPU for which one turn of a run may block the engine's thread. */
export const BLOCKED_MS = 500;
const EVERY_MS = 50;

/** A thread with little to remember. */
const LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 } as const;

/** The watchdog of the engine's thread of this process. */
export interface Watchdog {
  /** Publishes which run has the thread. */
  readonly openHold: OpenHold;
  /** Sets what the next program of this process gets if the watchdog replaces it; as JSON. */
  readonly passOn: (value: unknown) => void;
}

/**
 * Starts a thread that ends this process when one turn of a run has had the engine's thread for too long. It must be
 * called by the main thread, which is the engine's.
 */
export const startWatchdog = (end: WatchdogEnd): Watchdog => {
  const memory = createSharedMemory();
  const { port1: passing, port2: passedOn } = new MessageChannel();
  passing.unref();
  const settings: WatcherSettings = {
    memory,
    limitMs: BLOCKED_MS,
    everyMs: EVERY_MS,
    mainThread: process.pid,
    end,
    passedOn,
  };
  const worker = new Worker(join(__dirname, 'watcher.js'), {
    workerData: settings,
    transferList: [passedOn],
    resourceLimits: LIMITS,
  });
  worker.unref();
  // Without it runs are executed as before; the process ends as with any uncaught error.
  worker.on('error', (error) => {
    throw new Error('The watchdog of the engine has failed.', { cause: error });
  });
  return { openHold: createThreadWord(memory), passOn: (value) => passing.postMessage(value) };
};

/** The command that starts the program of this process again. */
export const commandOfThisProcess = (): readonly string[] => {
  const [program = ''] = process.argv.slice(1);
  return [process.execPath, ...process.execArgv, program];
};
