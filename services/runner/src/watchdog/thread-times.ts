import { readdirSync, readFileSync } from 'node:fs';

/** CPU times of threads of this process, in milliseconds. */
export interface ThreadTimes {
  /** Of its main thread. */
  readonly mainMs: () => number;
  /** Of the threads that help V8: they collect garbage while the main thread does. */
  readonly collectorsMs: () => number;
}

const TASKS = '/proc/self/task';
/** Name that Node gives to these threads. */
const COLLECTOR = 'V8Worker';
const NS_PER_MS = 1_000_000;

const readOr = (file: string, missing: string): string => {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return missing;
  }
};

const cpuMsOf = (thread: number): number =>
  Number(readOr(`${TASKS}/${thread}/schedstat`, '0').split(' ', 1)[0]) / NS_PER_MS;

/** Undefined if the kernel does not report them. */
export const readThreadTimes = (mainThread: number): ThreadTimes | undefined => {
  if (!(cpuMsOf(mainThread) > 0)) return undefined;
  const collectors = readdirSync(TASKS).filter((thread) => readOr(`${TASKS}/${thread}/comm`, '').trim() === COLLECTOR);
  return {
    mainMs: () => cpuMsOf(mainThread),
    collectorsMs: () => collectors.reduce((sum, thread) => sum + cpuMsOf(Number(thread)), 0),
  };
};
