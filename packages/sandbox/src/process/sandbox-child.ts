import type { Readable, Writable } from 'node:stream';
import type { PipedProcess } from '../spawn-sandbox';

/** A child process that runs jobs. */
export interface SandboxChild {
  /** Process id; undefined if it could not be started. */
  readonly pid: number | undefined;
  /** True for a copy of another process, with which it shares memory until one of them changes it. */
  readonly isCopy: boolean;
  readonly input: Writable;
  readonly output: Readable;
  /** Resolves when it has ended and its output has been read, with the signal that ended it. */
  readonly ended: Promise<NodeJS.Signals | null>;
  /** Kills it immediately. */
  readonly kill: () => void;
}

/** A process that was started with pipes. */
export const childOf = (started: PipedProcess): SandboxChild => {
  started.once('error', () => started.stdout.destroy());
  // A process that has just ended cannot accept input; `close` reports its end.
  started.stdin.on('error', () => undefined);
  return {
    pid: started.pid,
    isCopy: false,
    input: started.stdin,
    output: started.stdout,
    ended: new Promise((resolve) => started.once('close', (_code, signal) => resolve(signal))),
    kill: () => void started.kill('SIGKILL'),
  };
};
