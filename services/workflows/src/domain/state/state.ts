import type { Claim } from '../claims';

/** A write that was made: by which operation, and what version it gave. */
export interface WrittenBy {
  /** Digest of the operation's id. */
  readonly operation: string;
  readonly version: number;
}

/** One thing that the nodes of a workflow keep between its runs. */
export interface StateEntry {
  readonly workflowId: string;
  /** Unique within the workflow. */
  readonly name: string;
  readonly ownerId: string;
  /** Grows by one with every write, from 1. */
  readonly version: number;
  /** JSON text; nobody but the writers reads it. */
  readonly valueJson: string;
  /** The execution and the fence of the last write. */
  readonly writer: Claim;
  /** The last writes, the newest at the end. */
  readonly writes: readonly WrittenBy[];
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Where entries are remembered. Every method throws Unavailable if the store cannot be reached. */
export interface StateStore {
  readonly find: (workflowId: string, name: string) => Promise<StateEntry | undefined>;
  /** How many entries a workflow has. */
  readonly count: (workflowId: string) => Promise<number>;
  /** False if there is one of that name. */
  readonly insert: (entry: StateEntry) => Promise<boolean>;
  /** Compare-and-set: false if the stored version is not the one before that of `entry`. */
  readonly replace: (entry: StateEntry) => Promise<boolean>;
  readonly remove: (workflowId: string, name: string) => Promise<void>;
  /** Removes all entries of a workflow. */
  readonly removeAll: (workflowId: string) => Promise<void>;
}
