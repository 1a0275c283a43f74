/** A file that a workflow stores between its runs. */
export interface AreaEntry {
  /** Names joined by `/`, without one at the start. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** A write of one file. */
export interface AreaWrite {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** True: the bytes follow what the file has. */
  readonly append: boolean;
  /** Id of the node run that writes, unique within the workflow. */
  readonly operation: string;
  /** Number of the write within its operation, ascending: a repeated write has no effect. */
  readonly seq: number;
}

/** The files that a workflow stores between its runs. Nothing is written once the run is lost to another runner. */
export interface FileArea {
  /** All files, by path. @throws NodeFailure if it is refused */
  list(): Promise<readonly AreaEntry[]>;
  /** A file, whole, as one writer left it; undefined if there is none. @throws NodeFailure if it is refused */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Readers see all of it or nothing. @throws NodeFailure if it is refused, for its size for example */
  write(write: AreaWrite): Promise<void>;
}
