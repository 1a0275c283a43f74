import { createHash } from 'node:crypto';

/** Facts about a file besides its bytes. */
export interface FileFacts {
  readonly mimeType?: string;
  readonly fileName?: string;
}

/** Facts about a chunk that need no read of it. */
export interface ChunkHead extends FileFacts {
  readonly size: number;
}

/** Bytes that come as a stream, to be stored under a reference. */
export interface ChunkUpload {
  readonly data: AsyncIterable<Buffer>;
  readonly maxBytes: number;
  readonly facts: FileFacts;
  /** Called with the size when all bytes have come. Nothing can be read unless it resolves. */
  readonly admit: (size: number) => Promise<void>;
}

/** Store of the bytes of chunks. References are `<fence>.<name>` and belong to one execution. */
export interface ChunkStore {
  /** Stores bytes under a reference, in parts of a bounded size. Insert-only: what exists already stays. */
  readonly put: (executionId: string, reference: string, bytes: Buffer) => Promise<void>;
  /**
   * The same for a stream. Nothing can be read before all of it is stored.
   * @throws LimitExceeded, what `admit` throws
   */
  readonly putStream: (executionId: string, reference: string, upload: ChunkUpload) => Promise<void>;
  /** The parts of a chunk, in order. @throws ChunkNotFound, also if a part is damaged. */
  readonly read: (executionId: string, reference: string) => AsyncIterable<Buffer>;
  /** Facts about chunks that are complete, by reference. */
  readonly headsOf: (executionId: string, references: readonly string[]) => Promise<ReadonlyMap<string, ChunkHead>>;
  /** Deletes all chunks of executions. */
  readonly deleteAll: (executionIds: readonly string[]) => Promise<void>;
}

/** A reference that names its content: the same bytes have the same reference, others another one. */
export const contentReference = (
  fence: number,
  kind: 'record' | 'engine' | 'response' | 'input',
  bytes: Buffer,
): string => `${fence}.${kind}-${createHash('sha256').update(bytes).digest('hex').slice(0, 32)}`;

const UPLOAD_ID = /^[A-Za-z0-9_-]{1,64}$/;
const REFERENCE = /^\d{1,10}\.[A-Za-z0-9_-]{1,80}$/;

/** Reference of a chunk that a runner uploads; undefined if the id is malformed. */
export const uploadReference = (fence: number, chunkId: string): string | undefined =>
  UPLOAD_ID.test(chunkId) ? `${fence}.upload-${chunkId}` : undefined;

/**
 * The reference a runner means: one that was given to it, or one of its own uploads under this claim; undefined if
 * malformed.
 */
export const readReference = (fence: number, chunkId: string): string | undefined =>
  REFERENCE.test(chunkId) ? chunkId : uploadReference(fence, chunkId);

/** Reads a whole chunk. @throws ChunkNotFound */
export const readWhole = async (
  chunks: Pick<ChunkStore, 'read'>,
  executionId: string,
  reference: string,
): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of chunks.read(executionId, reference)) parts.push(part);
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
};
