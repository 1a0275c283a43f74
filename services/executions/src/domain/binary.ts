import { isUuid } from '@weft/service-kit/ids';
import { uploadReference } from './chunks';
import { ChunkNotFound } from './errors';
import type { ExecutionRecord } from './execution';
import { MAX_CALL_DEPTH } from './limits';
import type { ReadExecution } from './ports';

/** What is known about a file besides its bytes. */
export interface BinaryFacts {
  readonly mimeType?: string;
  readonly fileName?: string;
}

/** Where a file lies: the execution that made it, and its chunk there. */
export interface BinaryPlace {
  readonly executionId: string;
  readonly reference: string;
}

const BINARY_ID = /^([0-9a-f-]{36})\.(\d{1,10})\.(file-[A-Za-z0-9_-]{1,59})$/;
const FILE_REFERENCE = /^\d{1,10}\.upload-file-/;

/** True for chunks that are files: items refer to them, no document does. They are kept as long as their execution. */
export const isFileReference = (reference: string): boolean => FILE_REFERENCE.test(reference);

/** Reads the id of a binary reference, `<execution>.<fence>.<chunk id>`; undefined if it is none. */
export const binaryPlace = (id: string): BinaryPlace | undefined => {
  const [, executionId = '', fence = '', chunkId = ''] = BINARY_ID.exec(id) ?? [];
  const reference = uploadReference(Number(fence), chunkId);
  return reference === undefined || !isUuid(executionId) ? undefined : { executionId, reference };
};

/** The first execution of the chain of calls that led to this one. */
const rootOf = async (record: ExecutionRecord, read: ReadExecution): Promise<string> => {
  let { _id: id, parent } = record;
  for (let depth = 0; parent !== undefined && depth <= MAX_CALL_DEPTH; depth += 1) {
    id = parent.executionId;
    parent = (await read(id))?.parent;
  }
  return id;
};

/**
 * Finds a file that items of an execution refer to. Items travel from a parent to its children and back, so files of
 * executions that belong to the same first one can be read.
 * @throws ChunkNotFound
 */
export const findBinary = async (record: ExecutionRecord, id: string, read: ReadExecution): Promise<BinaryPlace> => {
  const place = binaryPlace(id);
  if (place === undefined) throw new ChunkNotFound(id);
  if (place.executionId === record._id) return place;
  const owner = await read(place.executionId);
  if (owner === undefined || (await rootOf(owner, read)) !== (await rootOf(record, read))) throw new ChunkNotFound(id);
  return place;
};
