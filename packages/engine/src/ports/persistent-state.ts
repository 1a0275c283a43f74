/** A named entry of the state that nodes of a workflow store between its runs. */
export interface StateEntry {
  /** Grows with every write; 0: never written. */
  readonly version: number;
  /** JSON text; undefined if it was never written. */
  readonly valueJson: string | undefined;
}

/** A write of one entry. */
export interface StateWrite {
  readonly name: string;
  /** Version that was read. */
  readonly expectedVersion: number;
  readonly valueJson: string;
  /** Id of the writer, unique within the workflow: a repeated write has no effect. */
  readonly operation: string;
}

/** Result of a write. Unless it is `written`, nothing was changed, and `entry` is the stored one. */
export type StateWriteOutcome =
  { readonly kind: 'written' } | { readonly kind: 'repeated' | 'conflict'; readonly entry: StateEntry };

/**
 * State of the first node run of an execution: `pending`, it may still be stored; `stored`, it succeeded and is stored;
 * `missing`, the execution ended without it; `gone`, the workflow has no such execution.
 */
export type FirstResult = 'pending' | 'stored' | 'missing' | 'gone';

/** State of a workflow between its runs. Nothing is written once the run is lost to another runner. */
export interface PersistentState {
  /** @throws NodeFailure if it is refused. */
  read(name: string): Promise<StateEntry>;
  /**
   * Writes if the entry still has the version that was read.
   * @throws NodeFailure if it is refused, for its size for example.
   */
  write(write: StateWrite): Promise<StateWriteOutcome>;
  /**
   * Does work that reads and writes an entry after that of other runs in this process, so that they do not collide.
   * Other runners still may.
   */
  inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** The first result of another execution of the workflow; some states apply only once it is stored. */
  firstResult(executionId: string): Promise<FirstResult>;
}
