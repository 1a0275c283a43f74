import { createHash } from 'node:crypto';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import { checkLimit, LIMITS } from '@weft/service-kit/limits';

/** A part of a file's content. Chunks are immutable. */
export interface FileChunk {
  readonly id: string;
  readonly bytes: number;
}

export interface AreaFile {
  /** Names joined by `/`. */
  readonly path: string;
  readonly bytes: number;
  /** Its content, in order. */
  readonly chunks: readonly FileChunk[];
  readonly updatedAt: Date;
}

/** The last write of a node run. */
export interface AreaOperation {
  /** Digest of the operation's id. */
  readonly id: string;
  readonly seq: number;
}

/** The files of a workflow. */
export interface FileArea {
  readonly workflowId: string;
  readonly ownerId: string;
  /** Incremented by every write, from 1. */
  readonly version: number;
  /** Total size of all files. */
  readonly bytes: number;
  /** By path. */
  readonly files: readonly AreaFile[];
  /** The last node runs that wrote, newest last. */
  readonly operations: readonly AreaOperation[];
}

/** A write of one file. */
export interface FileWrite {
  readonly path: string;
  /** True to append to the existing content. */
  readonly append: boolean;
  readonly operationId: string;
  readonly operationSeq: number;
}

/** The workflow has no file at this path. */
export class FileNotFound extends ServiceError {
  constructor(path: string) {
    super({
      reason: 'FILE_NOT_FOUND',
      kind: 'not-found',
      message: `The workflow has no file "${path.slice(0, 200)}".`,
      details: { path: path.slice(0, 200) },
    });
  }
}

/** Maximum bytes of a chunk. */
export const CHUNK_BYTES = 1024 * 1024;
const MAX_OPERATIONS = 200;
const MAX_OPERATION_BYTES = 1_000;

/** An area without files. */
export const emptyArea = (workflowId: string, ownerId: string): FileArea => ({
  workflowId,
  ownerId,
  version: 0,
  bytes: 0,
  files: [],
  operations: [],
});

const CONTROL = /[\u0000-\u001f\u007f]/;

/** Checks the names in a path. @throws InvalidRequest, LimitExceeded */
const checkPath = (path: string): void => {
  checkLimit(LIMITS.workflowFilePath, path.length);
  const parts = path.split('/');
  if (!CONTROL.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..')) return;
  throw new InvalidRequest('The path of the file is not valid.', [
    { field: 'path', message: 'must be names joined by "/", without empty ones, ".", ".." and control characters.' },
  ]);
};

/** @throws InvalidRequest, LimitExceeded */
export const checkFileWrite = ({ path, operationId, operationSeq }: FileWrite): void => {
  checkPath(path);
  if (operationId === '' || Buffer.byteLength(operationId) > MAX_OPERATION_BYTES)
    throw new InvalidRequest('The operation id is not valid.', [
      { field: 'operation_id', message: `must have 1 to ${MAX_OPERATION_BYTES} bytes.` },
    ]);
  if (!Number.isSafeInteger(operationSeq)) throw new InvalidRequest('The number of the write is not valid.');
};

/** Operation ids contain node names, which may be long; digests are short. */
const digestOf = (operationId: string): string =>
  createHash('sha256').update(operationId).digest('base64url').slice(0, 22);

/** The file at a path. */
export const fileAt = (area: FileArea | undefined, path: string): AreaFile | undefined =>
  area?.files.find((file) => file.path === path);

/** True if the operation has already made this write, or a later one. */
export const isRepeated = (area: FileArea, { operationId, operationSeq }: FileWrite): boolean => {
  const id = digestOf(operationId);
  return area.operations.some((one) => one.id === id && one.seq >= operationSeq);
};

/** Checks that an area has room for a write of this size. @throws LimitExceeded */
export const checkRoom = (area: FileArea, { path, append }: FileWrite, bytes: number): void => {
  const before = fileAt(area, path);
  const own = append ? (before?.bytes ?? 0) : 0;
  checkLimit(LIMITS.file, own + bytes);
  checkLimit(LIMITS.workflowFileBytes, area.bytes - (before?.bytes ?? 0) + own + bytes);
  if (before === undefined) checkLimit(LIMITS.workflowFiles, area.files.length + 1);
};

const sizeOf = (parts: readonly { readonly bytes: number }[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** The area with a file added or changed. @param chunks the complete content of the file */
export const withFile = (area: FileArea, write: FileWrite, chunks: readonly FileChunk[], now: Date): FileArea => {
  const file: AreaFile = { path: write.path, bytes: sizeOf(chunks), chunks, updatedAt: now };
  const files = [...area.files.filter(({ path }) => path !== write.path), file].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  const id = digestOf(write.operationId);
  const operations = [...area.operations.filter((one) => one.id !== id), { id, seq: write.operationSeq }];
  return {
    ...area,
    version: area.version + 1,
    bytes: sizeOf(files),
    files,
    operations: operations.slice(-MAX_OPERATIONS),
  };
};

/** The area without one file. */
export const withoutFile = (area: FileArea, path: string): FileArea => {
  const files = area.files.filter((file) => file.path !== path);
  return { ...area, version: area.version + 1, bytes: sizeOf(files), files };
};
