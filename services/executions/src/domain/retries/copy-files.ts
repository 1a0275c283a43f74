import { ServiceError } from '@weft/service-kit/errors';
import { binaryIdsIn, copyReference, findBinary, type StoredBinary } from '../data/binary';
import type { ChunkStore } from '../data/chunks';
import { RetryNotPossible } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { MAX_RETRY_BYTES, MAX_UPLOAD_BYTES } from '../state/limits';
import type { ReadExecution } from '../state/ports';

/**
 * Undefined if the execution may not read it, or it was deleted: the string only looks like a reference, or the retry
 * fails as the original would.
 */
const findFile = async (
  original: ExecutionRecord,
  id: string,
  read: ReadExecution,
  chunks: ChunkStore,
): Promise<StoredBinary | undefined> => {
  try {
    return await findBinary(original, id, read, chunks);
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
    throw error;
  }
};

const admitAll = (): Promise<void> => Promise.resolve();

/**
 * Copies the files that the data of a retry references, so that they are kept as long as the retry. Their ids are
 * unchanged: readers find the copy.
 * @param texts JSON that may contain references.
 * @throws RetryNotPossible if they are too large
 */
export const copyFiles = async (
  original: ExecutionRecord,
  executionId: string,
  texts: readonly Buffer[],
  read: ReadExecution,
  chunks: ChunkStore,
): Promise<void> => {
  const ids = new Set(texts.flatMap(binaryIdsIn));
  let bytes = 0;
  for (const id of ids) {
    const file = await findFile(original, id, read, chunks);
    if (file === undefined) continue;
    bytes += file.head.size;
    if (bytes > MAX_RETRY_BYTES)
      throw new RetryNotPossible(
        original._id,
        `the files that its data references exceed ${MAX_RETRY_BYTES / 1024 / 1024} MB. Start its ` +
          'workflow again instead.',
      );
    const { size: _size, ...facts } = file.head;
    await chunks.putStream(executionId, copyReference(id), {
      data: file.data,
      maxBytes: MAX_UPLOAD_BYTES,
      facts,
      admit: admitAll,
    });
  }
};
