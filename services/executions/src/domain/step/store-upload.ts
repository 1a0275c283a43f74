import { LimitExceeded, LIMITS } from '@weft/service-kit/limits';
import type { ChunkStore, FileFacts } from '../data/chunks';
import { ClaimLost } from '../state/errors';
import { MAX_UPLOAD_BYTES } from '../state/limits';
import type { ApplyWrite, ReadHeld } from '../state/ports';
import { uploadWrite } from '../state/run-writes';
import type { WriteOutcome } from '../state/write-outcome';

/** A large piece of data of a running execution. */
export interface Upload {
  readonly executionId: string;
  readonly fence: number;
  readonly reference: string;
  readonly facts: FileFacts;
  readonly data: AsyncIterable<Buffer>;
}

/** Stores an upload for the runner that holds the claim. @throws LimitExceeded, Unavailable */
export type StoreUpload = (upload: Upload) => Promise<WriteOutcome>;

/**
 * Stores uploads within the limit of each execution; interrupted uploads, and those whose claim was lost meanwhile, are
 * never readable.
 */
export const createStoreUpload =
  (read: ReadHeld, apply: ApplyWrite, chunks: ChunkStore): StoreUpload =>
  async ({ executionId, fence, reference, facts, data }) => {
    const record = await read(executionId);
    if (record === undefined || record.state !== 'running' || record.fence !== fence) return 'fenced';
    if ((await chunks.headsOf(executionId, [reference])).has(reference)) return 'duplicate';
    const admit = async (size: number): Promise<void> => {
      const { outcome } = await apply(executionId, uploadWrite(fence, size));
      if (outcome === 'blocked') throw new LimitExceeded(LIMITS.uploads, record.uploadedBytes + size);
      if (outcome !== 'applied') throw new ClaimLost(executionId);
    };
    try {
      await chunks.putStream(executionId, reference, { data, maxBytes: MAX_UPLOAD_BYTES, facts, admit });
      return 'applied';
    } catch (error) {
      if (error instanceof ClaimLost) return 'fenced';
      throw error;
    }
  };
