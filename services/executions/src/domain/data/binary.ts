import { createHash } from 'node:crypto';
import { isUuid } from '@weft/service-kit/ids';
import { uploadReference, type ChunkHead, type ChunkStore } from './chunks';
import { ChunkNotFound } from '../state/errors';
import type { HeldExecution } from '../state/execution';
import type { ReadHeld } from '../state/ports';
import { rootOf } from './purge';

/** Location of a file: the execution that created it, and the chunk there. */
export interface BinaryLocation {
  readonly executionId: string;
  readonly reference: string;
}

/** A file that can be read. */
export interface StoredBinary {
  readonly head: ChunkHead;
  readonly data: AsyncIterable<Buffer>;
}

const BINARY_ID = /^([0-9a-f-]{36})\.(\d{1,10})\.(file-[A-Za-z0-9_-]{1,59})$/;

/** The id of a binary reference. */
export const binaryId = (executionId: string, fence: number, chunkId: string): string =>
  `${executionId}.${fence}.${chunkId}`;

/** Parses the id of a binary reference, `<execution>.<fence>.<chunk id>`; undefined if it is not one. */
export const parseBinaryId = (id: string): BinaryLocation | undefined => {
  const [, executionId = '', fence = '', chunkId = ''] = BINARY_ID.exec(id) ?? [];
  const reference = uploadReference(Number(fence), chunkId);
  return reference === undefined || !isUuid(executionId) ? undefined : { executionId, reference };
};

/** Ids of binary references anywhere in JSON. */
const ANY_BINARY_ID =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.\d{1,10}\.file-[A-Za-z0-9_-]{1,59}/g;

/** Possible ids of binary references in JSON, without duplicates. */
export const binaryIdsIn = (json: Buffer): string[] => [...new Set(json.toString('latin1').match(ANY_BINARY_ID) ?? [])];

/** The reference under which a retry stores its copy of a file whose id belongs to another execution. */
export const copyReference = (id: string): string =>
  `0.upload-file-copy-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`;

/** The caller that requests a file. */
type Asking = Pick<HeldExecution, '_id' | 'parent'>;

const ownFile = async (
  record: Asking,
  { executionId, reference }: BinaryLocation,
  read: ReadHeld,
): Promise<BinaryLocation | undefined> => {
  const owner = executionId === record._id ? record : await read(executionId);
  return owner === undefined || rootOf(owner) !== rootOf(record) ? undefined : { executionId, reference };
};

/**
 * Finds a file that items of an execution refer to. Items pass between parents and children, so files of executions
 * with the same root can be read; so can files copied for a retry.
 * @throws ChunkNotFound
 */
export const findBinary = async (
  record: Asking,
  id: string,
  read: ReadHeld,
  chunks: ChunkStore,
): Promise<StoredBinary> => {
  const location = parseBinaryId(id);
  if (location === undefined) throw new ChunkNotFound(id);
  const { executionId, reference } = (await ownFile(record, location, read)) ?? {
    executionId: rootOf(record),
    reference: copyReference(id),
  };
  const head = (await chunks.headsOf(executionId, [reference])).get(reference);
  if (head === undefined) throw new ChunkNotFound(id);
  return { head, data: chunks.read(executionId, reference) };
};
