import { createHash } from 'node:crypto';

/** Metadata of a file. */
export interface FileFacts {
  readonly mimeType?: string;
  readonly fileName?: string;
}

/** Metadata of a chunk, available without reading it. */
export interface ChunkHead extends FileFacts {
  readonly size: number;
}

/** A byte stream to store under a reference. */
export interface ChunkUpload {
  readonly data: AsyncIterable<Buffer>;
  readonly maxBytes: number;
  readonly facts: FileFacts;
  /** Called with the size when all bytes have arrived. The chunk becomes readable only if this resolves. */
  readonly admit: (size: number) => Promise<void>;
}

/** Store of the bytes of chunks. References are `<fence>.<name>` and belong to one execution. */
export interface ChunkStore {
  /** Stores bytes under a reference, in parts of limited size. Insert-only: existing ones stay. */
  readonly put: (executionId: string, reference: string, bytes: Buffer) => Promise<void>;
  /**
   * The same for a stream. Readable only once all of it is stored.
   * @throws LimitExceeded, errors of `admit`
   */
  readonly putStream: (executionId: string, reference: string, upload: ChunkUpload) => Promise<void>;
  /** The parts of a chunk, in order. @throws ChunkNotFound, also if a part is damaged. */
  readonly read: (executionId: string, reference: string) => AsyncIterable<Buffer>;
  /** Metadata of complete chunks, by reference. */
  readonly headsOf: (executionId: string, references: readonly string[]) => Promise<ReadonlyMap<string, ChunkHead>>;
  /** Deletes all chunks of executions. */
  readonly deleteAll: (executionIds: readonly string[]) => Promise<void>;
}

/** A content-based reference: identical bytes have the same reference. */
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
 * Resolves a runner's reference: one that it was given, or one of its uploads under this claim; undefined if malformed.
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
