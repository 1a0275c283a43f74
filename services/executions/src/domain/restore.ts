import type { Swept } from './sweep-ports';

/** How far publishing everything into a new stream has come. */
export interface RestoreProgress {
  /** The last id that was read; empty at the beginning. */
  readonly after: string;
  readonly isDone: boolean;
}

/**
 * What is remembered while a lost queue is restored, by the time at which its new stream was made. Every method throws
 * Unavailable.
 */
export interface RestoreStore {
  /** Undefined: nobody has begun. */
  readonly placeOf: (stream: string) => Promise<RestoreProgress | undefined>;
  readonly goOn: (stream: string, after: string, isDone: boolean) => Promise<void>;
  /** Queued executions behind an id, in the order of their ids. */
  readonly queuedAfter: (after: string, most: number) => Promise<readonly Swept[]>;
}
