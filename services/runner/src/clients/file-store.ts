import { randomUUID } from 'node:crypto';
import { createBoundedCache } from '@weft/service-kit/caching';
import { ServiceError } from '@weft/service-kit/errors';
import type { WriteOutcome } from '../domain/claims/claimed-execution';
import { type BinaryReference, type FileFacts, type FileStore, NodeFailure, referenceTo } from '@weft/engine';
import type { Fenced } from '../domain/claims/held/execution-store';
import type { Reach } from '../domain/claims/shares/reach';
import { LIMITS, limitSentence } from '@weft/service-kit/limits';

/** Maximum size of a file; the executions service accepts no larger upload. */
export const MAX_FILE_BYTES = LIMITS.file.max;
/** Maximum size of all files that a run stores during one claim. */
export const MAX_RUN_FILE_BYTES = LIMITS.runFiles.max;
/** Maximum size of cached files; most files are read by the next node. */
const KEPT_BYTES = 16 * 1024 * 1024;

export interface FileChunks {
  /** May be repeated. */
  readonly putFile: (claim: Fenced, chunkId: string, bytes: Uint8Array, facts: FileFacts) => Promise<WriteOutcome>;
  /** `id` of a binary reference, of this execution or one with the same parent. */
  readonly getFile: (claim: Fenced, id: string) => Promise<Uint8Array>;
}

/**
 * The files of one claimed execution. They are stored at once, so that a checkpoint never refers to a missing file, and
 * are kept as long as the execution.
 */
export const createFileStore = (chunks: FileChunks, claim: Fenced, reach: Reach): FileStore => {
  const kept = createBoundedCache<string, Uint8Array>({ maxWeight: KEPT_BYTES });
  let stored = 0;
  return {
    store: async (bytes, facts): Promise<BinaryReference> => {
      if (bytes.length > MAX_FILE_BYTES) throw new NodeFailure(limitSentence(LIMITS.file, bytes.length));
      if (stored + bytes.length > MAX_RUN_FILE_BYTES) {
        throw new NodeFailure(limitSentence(LIMITS.runFiles, stored + bytes.length), {
          description: 'Process fewer files in one run, for example in sub-workflows that are started one by one.',
        });
      }
      stored += bytes.length;
      const chunkId = `file-${randomUUID()}`;
      const outcome = await reach(() => chunks.putFile(claim, chunkId, bytes, facts));
      if (outcome === 'fenced') throw new NodeFailure('The run was taken away from this runner.');
      const reference = referenceTo(`${claim.executionId}.${claim.fence}.${chunkId}`, facts, bytes.length);
      kept.set(reference.id, bytes, bytes.length);
      return reference;
    },
    read: async ({ id, fileName }) => {
      const known = kept.get(id);
      if (known !== undefined) return known;
      try {
        const bytes = await reach(() => chunks.getFile(claim, id));
        kept.set(id, bytes, bytes.length);
        return bytes;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.kind !== 'not-found') throw error;
        throw new NodeFailure(`The file ${fileName === undefined ? '' : `"${fileName}" `}no longer exists.`, {
          description: 'Files are kept as long as the execution that created them.',
          cause: error,
        });
      }
    },
  };
};
