import { readFileSync } from 'node:fs';
import { libraryFunction } from '../seal/kernel';

/** Passed to `fcntl`: sets the flags of a descriptor. */
const F_SETFD = 2;
const STANDARD_STREAMS = [0, 1, 2] as const;
/** Passed to `waitpid`: returns at once. */
const WNOHANG = 1;

const REAP_MS = 1_000;
/** Rounds after which children of the replaced program that still run are killed, and given up. */
const KILL_ROUND = 30;
const LAST_ROUND = 60;

const execv = libraryFunction<[path: string, list: readonly (string | null)[]]>(
  'int execv(const char *path, const char **list)',
);
const fcntl = libraryFunction<[descriptor: number, command: number, type: 'int', value: number]>(
  'int fcntl(int descriptor, int command, ...)',
);
const waitpid = libraryFunction<[pid: number, status: null, options: number]>(
  'int waitpid(int pid, void *status, int options)',
);

/**
 * Replaces the program of this process, from any of its threads, and ends all of them, also blocked ones. The process
 * keeps its id, environment, standard streams and parent; its sockets are closed. Its children keep running, without
 * their channels. Returns only if it failed: on systems without `execv`, or if the program cannot be read.
 * @param command the absolute path of the program, and its arguments
 */
export const replaceProcess = (command: readonly string[]): void => {
  const [path = ''] = command;
  // Node sets their close-on-exec flag.
  for (const descriptor of STANDARD_STREAMS) fcntl(descriptor, F_SETFD, 'int', 0);
  execv(path, [...command, null]);
};

const childrenNow = (): readonly number[] => {
  try {
    return readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
};

const killIfAlive = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
};

/**
 * Collects the exits of children that the program before this one left behind, so that they do not stay as zombies.
 * They end when they find that their channels are closed; those that do not are killed after half a minute. Call it
 * before this process starts children.
 */
export const reapChildrenOfReplaced = (): void => {
  let left = childrenNow();
  let round = 0;
  if (left.length === 0) return;
  const timer = setInterval(() => {
    left = left.filter((pid) => waitpid(pid, null, WNOHANG) === 0);
    round += 1;
    if (round === KILL_ROUND) left.forEach(killIfAlive);
    if (left.length === 0 || round === LAST_ROUND) clearInterval(timer);
  }, REAP_MS);
  timer.unref();
};
