import { InvalidRequest } from '@weft/service-kit/errors';
import { isUuid } from '@weft/service-kit/ids';
import { binaryId } from './binary';
import { uploadReference, type ChunkStore, type FileFacts } from './chunks';
import { MAX_UPLOAD_BYTES } from '../state/limits';
import type { ReadHeld } from '../state/ports';

/** A file for an execution that is about to be started or woken. */
export interface InputFile {
  readonly executionId: string;
  readonly fileKey: string;
  readonly facts: FileFacts;
  readonly data: AsyncIterable<Buffer>;
}

/** Stores a file. @throws InvalidRequest, PAYLOAD_TOO_LARGE, Unavailable */
export type StoreInputFile = (file: InputFile) => Promise<{ readonly fileId: string; readonly size: number }>;

/** The fence of data stored before the first claim. */
const BEFORE_ALL = 0;

const invalid = (field: string, message: string): InvalidRequest =>
  new InvalidRequest('The file is not valid.', [{ field, message }]);

/**
 * Stores files for executions that do not exist yet, or that wait; the call that starts or wakes them contains the
 * references. If it never comes, the sweeper finds chunks without an execution. Running executions accept none: only
 * their runners store files.
 */
export const createStoreInputFile =
  (read: ReadHeld, chunks: ChunkStore): StoreInputFile =>
  async ({ executionId, fileKey, facts, data }) => {
    const reference = /^[\w-]{1,50}$/.test(fileKey) ? uploadReference(BEFORE_ALL, `file-${fileKey}`) : undefined;
    if (reference === undefined) throw invalid('fileKey', 'Use 1 to 50 of A-Z, a-z, 0-9, _ and -.');
    if (!isUuid(executionId)) throw invalid('executionId', 'must be a UUID');
    const record = await read(executionId);
    if (record !== undefined && record.state !== 'waiting')
      throw invalid('executionId', 'The execution already exists, and is not waiting.');
    let stored = 0;
    const admit = (size: number): Promise<void> => {
      stored = size;
      return Promise.resolve();
    };
    await chunks.putStream(executionId, reference, { data, maxBytes: MAX_UPLOAD_BYTES, facts, admit });
    return { fileId: binaryId(executionId, BEFORE_ALL, `file-${fileKey}`), size: stored };
  };
