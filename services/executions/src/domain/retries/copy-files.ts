import { ServiceError } from '@weft/service-kit/errors';
import { binaryIdsIn, copyReference, findBinary, type StoredBinary } from '../data/binary';
import type { ChunkStore } from '../data/chunks';
import type { Refuse } from '../state/errors';
import type { ExecutionRecord } from '../state/execution';
import { MAX_RETRY_BYTES, MAX_UPLOAD_BYTES } from '../state/limits';
import type { ReadExecution } from '../state/ports';

/**
 * Undefined if the original may not read it, or it was deleted: the string only looks like a reference, or the new
 * execution fails as the original would.
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

/** Ports of copying files. */
export interface FilePorts {
  /** Files belong to the executions with the same root as the original. */
  readonly read: ReadExecution;
  readonly chunks: ChunkStore;
}

const admitAll = (): Promise<void> => Promise.resolve();

/**
 * Copies the files that the data of a new execution references, so that they are kept as long as this execution. Their
 * ids are unchanged: readers find the copy.
 * @param texts JSON that may contain references.
 * @throws what `refuse` makes, if they are too large
 */
export const copyFiles = async (
  original: ExecutionRecord,
  executionId: string,
  texts: readonly Buffer[],
  { read, chunks }: FilePorts,
  refuse: Refuse,
): Promise<void> => {
  const ids = new Set(texts.flatMap(binaryIdsIn));
  let bytes = 0;
  for (const id of ids) {
    const file = await findFile(original, id, read, chunks);
    if (file === undefined) continue;
    bytes += file.head.size;
    if (bytes > MAX_RETRY_BYTES)
      throw refuse(
        `the files that its data references exceed ${MAX_RETRY_BYTES / 1024 / 1024} MB. Start its workflow again ` +
          'instead.',
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
