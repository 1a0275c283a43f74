import type { Swept } from './sweep-ports';

/** Progress of publishing everything into a new stream. */
export interface RestoreProgress {
  /** The last id that was read; empty at the beginning. */
  readonly after: string;
  readonly isDone: boolean;
}

/**
 * Progress of restoring lost queues, by the time at which the new stream was made. Every method throws
 * Unavailable.
 */
export interface RestoreStore {
  /** Undefined: no replica has begun. */
  readonly readProgress: (stream: string) => Promise<RestoreProgress | undefined>;
  readonly saveProgress: (stream: string, after: string, isDone: boolean) => Promise<void>;
  /** Queued executions behind an id, in the order of their ids. */
  readonly queuedAfter: (after: string, most: number) => Promise<readonly Swept[]>;
}
