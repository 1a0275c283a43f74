import { randomUUID } from 'node:crypto';
import { ServiceError } from '@weft/service-kit/errors';
import type { Verdict } from '../domain/claimed-execution';
import type { BinaryReference } from '../domain/engine/items';
import { NodeFailure } from '../domain/engine/node-failure';
import type { Fenced } from '../domain/execution-store';
import type { FileFacts, FileStore } from '../domain/ports/files';
import { retryWhileHeld } from '../domain/retry-while-held';

/** Bytes of one file; the executions service takes no larger upload. */
export const FILE_BYTES_MAX = 32 * 1024 * 1024;
/** Bytes of all files that a run stores while one runner holds it. */
export const RUN_FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Bytes of files that are kept at hand, since most are read by the very next node. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Longest time for which a service that cannot be reached is asked again. */
const PATIENCE_MS = 20_000;

/** Where files go. */
export interface FileChunks {
  /** May be repeated. */
  readonly putFile: (claim: Fenced, chunkId: string, bytes: Uint8Array, facts: FileFacts) => Promise<Verdict>;
  /** `id` of a binary reference, of this execution or one that shares a parent with it. */
  readonly getFile: (claim: Fenced, id: string) => Promise<Uint8Array>;
}

const megabytes = (bytes: number): number => Math.round(bytes / (1024 * 1024));

/** The last files, up to a number of bytes in all. */
const createKept = () => {
  const kept = new Map<string, Uint8Array>();
  let held = 0;
  return {
    get: (id: string): Uint8Array | undefined => kept.get(id),
    add: (id: string, bytes: Uint8Array): void => {
      if (bytes.length > KEPT_BYTES || kept.has(id)) return;
      kept.set(id, bytes);
      held += bytes.length;
      for (const [oldest, old] of kept) {
        if (held <= KEPT_BYTES) return;
        kept.delete(oldest);
        held -= old.length;
      }
    },
  };
};

const patiently = <Result>(send: () => Promise<Result>): Promise<Result> => retryWhileHeld(send, AbortSignal.timeout(PATIENCE_MS));

/**
 * The files of one claimed execution. Stored at once, so that a checkpoint never names a file that is not there; the
 * bytes stay with the execution as long as it exists.
 */
export const createFileStore = (chunks: FileChunks, claim: Fenced): FileStore => {
  const kept = createKept();
  let stored = 0;
  return {
    store: async (bytes, facts): Promise<BinaryReference> => {
      if (bytes.length > FILE_BYTES_MAX) throw new NodeFailure(`The file has ${megabytes(bytes.length)} MB; ${megabytes(FILE_BYTES_MAX)} MB are the most.`);
      if (stored + bytes.length > RUN_FILE_BYTES_MAX) {
        throw new NodeFailure(`The files of this run have more than ${megabytes(RUN_FILE_BYTES_MAX)} MB in all.`, { description: 'Handle fewer files in one run, for example in sub-workflows that are started one by one.' });
      }
      stored += bytes.length;
      const chunkId = `file-${randomUUID()}`;
      const verdict = await patiently(() => chunks.putFile(claim, chunkId, bytes, facts));
      if (verdict === 'stale') throw new NodeFailure('The run was taken away from this runner.');
      const reference = { id: `${claim.executionId}.${claim.fence}.${chunkId}`, ...facts, fileSize: bytes.length };
      kept.add(reference.id, bytes);
      return reference;
    },
    read: async ({ id, fileName }) => {
      const known = kept.get(id);
      if (known !== undefined) return known;
      try {
        const bytes = await patiently(() => chunks.getFile(claim, id));
        kept.add(id, bytes);
        return bytes;
      } catch (error) {
        if (!(error instanceof ServiceError) || error.kind !== 'not-found') throw error;
        throw new NodeFailure(`The file ${fileName === undefined ? '' : `"${fileName}" `}is not there any more.`, {
          description: 'Files live as long as the execution that made them.', cause: error,
        });
      }
    },
  };
};
