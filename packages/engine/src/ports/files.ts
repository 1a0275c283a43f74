import type { BinaryReference } from '../items/items';

/** Metadata of a file. */
export interface FileFacts {
  readonly mimeType: string;
  readonly fileName?: string;
  /** Without the dot. */
  readonly fileExtension?: string;
}

/** Files of a run. Items carry references to them. */
export interface FileStore {
  /** The bytes behind a reference. @throws Error with a message for the user if they are gone. */
  read(reference: BinaryReference): Promise<Uint8Array>;
  /** Stores bytes with the run. @throws Error with a message for the user if they are too many. */
  store(bytes: Uint8Array, facts: FileFacts): Promise<BinaryReference>;
}
