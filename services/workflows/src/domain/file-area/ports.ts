import type { FileArea } from './file-area';

/** Store of file areas. Every method throws Unavailable if the database cannot be reached. */
export interface FileAreaStore {
  readonly find: (workflowId: string) => Promise<FileArea | undefined>;
  /** Compare-and-set: false unless the stored version is the one before that of `area`. Version 1 is inserted. */
  readonly put: (area: FileArea) => Promise<boolean>;
  /** Total bytes of the files of all workflows of an owner except one. */
  readonly bytesOfOwner: (ownerId: string, exceptWorkflowId: string) => Promise<number>;
  /** Removes the area of a workflow with all content. */
  readonly removeAll: (workflowId: string) => Promise<void>;
  readonly insertChunk: (workflowId: string, chunkId: string, bytes: Buffer) => Promise<void>;
  /** Undefined if it was removed. */
  readonly readChunk: (workflowId: string, chunkId: string) => Promise<Buffer | undefined>;
  readonly removeChunks: (workflowId: string, chunkIds: readonly string[]) => Promise<void>;
  /** Removes unlisted chunks of a workflow that were written before a time. */
  readonly removeUnlisted: (workflowId: string, listedIds: readonly string[], before: Date) => Promise<void>;
}
