import type { Swept } from './sweep-ports';

/** Progress of publishing everything into a new stream. */
export interface RestoreProgress {
  /** The last id read; empty at the beginning. */
  readonly after: string;
  readonly isDone: boolean;
}

/** Progress of restoring lost queues, by creation time of the new stream. Every method throws Unavailable. */
export interface RestoreStore {
  /** Undefined: no replica has begun. */
  readonly readProgress: (stream: string) => Promise<RestoreProgress | undefined>;
  readonly saveProgress: (stream: string, after: string, isDone: boolean) => Promise<void>;
  /** Queued executions after an id, in order of id. */
  readonly queuedAfter: (after: string, most: number) => Promise<readonly Swept[]>;
}
