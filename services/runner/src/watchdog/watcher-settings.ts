import type { MessagePort } from 'node:worker_threads';

/** How the watchdog ends the process of a blocked thread. */
export type WatchdogEnd =
  /** Replaces its program by the command, with an argument that {@link readPredecessor} reads. */
  | { readonly kind: 'replace'; readonly command: readonly string[] }
  /** Writes the ended turn to the descriptor, which its parent reads, and kills the process. */
  | { readonly kind: 'kill'; readonly descriptor: number };

/** Settings of the thread of a watchdog. */
export interface WatcherSettings {
  readonly memory: SharedArrayBuffer;
  /** Milliseconds of CPU that a turn may have. */
  readonly limitMs: number;
  /** Milliseconds between two readings. */
  readonly everyMs: number;
  readonly mainThread: number;
  readonly end: WatchdogEnd;
  /** Receives what the process passes on to its successor. */
  readonly passedOn: MessagePort;
}
