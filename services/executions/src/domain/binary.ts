import { isUuid } from '@weft/service-kit/ids';
import { uploadReference, type ChunkHead, type ChunkStore } from './chunks';
import { ChunkNotFound } from './errors';
import type { ExecutionRecord } from './execution';
import type { ReadExecution } from './ports';

/** Where a file lies: the execution that made it, and its chunk there. */
export interface BinaryPlace {
  readonly executionId: string;
  readonly reference: string;
}

/** A file that can be read. */
export interface StoredBinary {
  readonly head: ChunkHead;
  readonly data: AsyncIterable<Buffer>;
}

const BINARY_ID = /^([0-9a-f-]{36})\.(\d{1,10})\.(file-[A-Za-z0-9_-]{1,59})$/;
const FILE_REFERENCE = /^\d{1,10}\.upload-file-/;

/** True for chunks that are files: items refer to them, no document does. They are kept as long as their execution. */
export const isFileReference = (reference: string): boolean => FILE_REFERENCE.test(reference);

/** The id of a binary reference. */
export const binaryId = (executionId: string, fence: number, chunkId: string): string => `${executionId}.${fence}.${chunkId}`;

/** Reads the id of a binary reference, `<execution>.<fence>.<chunk id>`; undefined if it is none. */
export const binaryPlace = (id: string): BinaryPlace | undefined => {
  const [, executionId = '', fence = '', chunkId = ''] = BINARY_ID.exec(id) ?? [];
  const reference = uploadReference(Number(fence), chunkId);
  return reference === undefined || !isUuid(executionId) ? undefined : { executionId, reference };
};

/** The first execution of the chain of calls that led to this one. */
const rootOf = ({ _id, parent }: ExecutionRecord): string => parent?.rootId ?? _id;

/**
 * Finds a file that items of an execution refer to. Items travel from a parent to its children and back, so files of
 * executions that belong to the same first one can be read.
 * @throws ChunkNotFound
 */
export const findBinary = async (record: ExecutionRecord, id: string, read: ReadExecution, chunks: ChunkStore): Promise<StoredBinary> => {
  const place = binaryPlace(id);
  if (place === undefined) throw new ChunkNotFound(id);
  const { executionId, reference } = place;
  const owner = executionId === record._id ? record : await read(executionId);
  if (owner === undefined || rootOf(owner) !== rootOf(record)) throw new ChunkNotFound(id);
  const head = (await chunks.headsOf(executionId, [reference])).get(reference);
  if (head === undefined) throw new ChunkNotFound(id);
  return { head, data: chunks.read(executionId, reference) };
};
