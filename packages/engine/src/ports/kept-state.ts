/** What the nodes of a workflow keep under one name between its runs. */
export interface KeptEntry {
  /** Grows with every write; 0: never written. */
  readonly version: number;
  /** JSON text; undefined if it was never written. */
  readonly valueJson: string | undefined;
}

/** A write of one entry. */
export interface KeptWrite {
  readonly name: string;
  /** Version that was read. */
  readonly expectedVersion: number;
  readonly valueJson: string;
  /** What writes, unique within the workflow: repeated, it writes nothing a second time. */
  readonly operation: string;
}

/** What became of a write. Unless it is `written`, nothing was changed, and `entry` is what is stored. */
export type KeptOutcome =
  { readonly kind: 'written' } | { readonly kind: 'repeated' | 'conflict'; readonly entry: KeptEntry };

/** What a workflow keeps between its runs. Nothing is written once the run is lost to another runner. */
export interface KeptState {
  /** @throws NodeFailure if it is refused. */
  read(name: string): Promise<KeptEntry>;
  /**
   * Writes if the entry still has the version that was read.
   * @throws NodeFailure if it is refused, for its size for example.
   */
  write(write: KeptWrite): Promise<KeptOutcome>;
  /**
   * Does work that reads and writes an entry after that of other runs in this process, so that they do not collide.
   * Other runners still may.
   */
  inTurn<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
}
