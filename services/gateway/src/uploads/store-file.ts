import type { PutInputFileRequest } from '@weft/proto/executions';
import { createShares } from '@weft/service-kit/in-flight';
import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { Clients } from '../clients';
import { PayloadTooLarge, TooManyUploads } from '../errors';

/** A file as referred to by items: its bytes are stored with the execution. */
export interface FileReference {
  readonly id: string;
  readonly mimeType: string;
  readonly fileName?: string;
  /** Without the dot. */
  readonly fileExtension?: string;
  /** Bytes. */
  readonly fileSize: number;
}

/** File metadata as claimed by the sender. */
export interface FileClaims {
  readonly mimeType: string;
  /** Empty: none. */
  readonly fileName: string;
}

/** Stores a file of a request as it arrives. @throws ServiceError, including PayloadTooLarge; errors of the data */
export type StoreFile = (claims: FileClaims, data: AsyncIterable<Buffer>) => Promise<FileReference>;

/** Maximum bytes of one file; the executions service accepts no larger one. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** A large file over a slow connection takes as long as a request may. */
const DEADLINE_MS = 30_000;
const MAX_NAME = 255;
const MIME = /^[\w!#$&^.+-]{1,80}\/[\w!#$&^.+-]{1,80}$/;

/** A file name without path and control characters, safe in terminals and headers. */
const cleanName = (name: string): string =>
  [...(name.split(/[\\/]/).at(-1) ?? '')]
    .filter((one) => one >= ' ' && one !== '\u007f')
    .join('')
    .slice(0, MAX_NAME);

const cleanType = (type: string): string => {
  const plain = (type.split(';')[0] ?? '').trim().toLowerCase();
  return MIME.test(plain) ? plain : 'application/octet-stream';
};

const extensionOf = (fileName: string): { fileExtension?: string } => {
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(fileName)?.[1];
  return extension === undefined ? {} : { fileExtension: extension.toLowerCase() };
};

async function* pieces(
  head: Omit<PutInputFileRequest, 'data'>,
  data: AsyncIterable<Buffer>,
  hash: Hash,
): AsyncGenerator<PutInputFileRequest> {
  let size = 0;
  // The head is sent first, so that an empty file is still a file.
  yield { ...head, data: Buffer.alloc(0) };
  for await (const piece of data) {
    size += piece.length;
    hash.update(piece);
    if (size > MAX_FILE_BYTES) throw new PayloadTooLarge(`A file must not exceed ${MAX_FILE_BYTES / 1024 / 1024} MB.`);
    yield { executionId: '', fileKey: '', data: piece };
  }
}

/** SHA-256 of stored files, by the ids of their references. */
export type ContentHashes = Map<string, string>;

/**
 * Stores files for a new or waiting execution.
 * @param hashes receives the hash of each file, to distinguish requests by their contents
 */
export const createStoreFile = (
  { executions }: Pick<Clients, 'executions'>,
  executionId: string,
  hashes?: ContentHashes,
): StoreFile =>
  async function storeFile(claims, data) {
    const hash = createHash('sha256');
    const mimeType = cleanType(claims.mimeType);
    const fileName = cleanName(claims.fileName);
    const head = { executionId, fileKey: randomUUID(), mimeType, ...(fileName === '' ? {} : { fileName }) };
    const { fileId, size } = await executions.calls.putInputFile(pieces(head, data, hash), { deadlineMs: DEADLINE_MS });
    hashes?.set(fileId, hash.digest('base64url'));
    return { id: fileId, mimeType, ...(fileName === '' ? {} : { fileName, ...extensionOf(fileName) }), fileSize: size };
  };

/**
 * One SHA-256 over the files of a request: their names in the item, types, file names and contents, ordered by name.
 * Undefined if there are none.
 */
export const contentDigest = (
  files: readonly (readonly [string, FileReference])[],
  hashes: ContentHashes,
): Buffer | undefined => {
  if (files.length === 0) return undefined;
  const facts = files.map(([name, { id, mimeType, fileName }]) => [
    name,
    mimeType,
    fileName ?? '',
    hashes.get(id) ?? '',
  ]);
  facts.sort(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0));
  return createHash('sha256').update(JSON.stringify(facts)).digest();
};

/** Admits work that receives files, with bounded concurrency. @throws TooManyUploads; errors of the work */
export type UploadGate = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** The gate for the uploads of one client address. */
export type UploadGates = (client: string) => UploadGate;

/** Creates gates for `most` concurrent uploads, and `mostOfClient` of one client address. */
export const createUploadGates = (most: number, mostOfClient: number): UploadGates => {
  const places = createShares(most, mostOfClient);
  return (client) =>
    async function passUploadGate(work) {
      if (!places.take(client, 1)) throw new TooManyUploads();
      try {
        return await work();
      } finally {
        places.give(client, 1);
      }
    };
};
