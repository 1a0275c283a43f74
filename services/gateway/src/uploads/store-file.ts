import type { PutInputFileRequest } from '@weft/proto/executions';
import { createHash, type Hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clients } from '../clients';
import { PayloadTooLarge, TooManyUploads } from '../errors';
import { createCapacity, senderOf } from '../middleware/limits/capacity';
import { clientShare, type ProxyTrust } from '../middleware/client-origin';

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

/** The gate for the uploads of one request. */
export type UploadGates = (request: IncomingMessage, response: ServerResponse) => UploadGate;

/**
 * Creates gates for `most` concurrent uploads, and `mostOfClient` of one client block. If all slots are taken, the
 * slowest upload of the client that has most is dropped for another client's.
 */
export const createUploadGates = (
  most: number,
  mostOfClient: number,
  trust: Pick<ProxyTrust, 'trustProxy'>,
): UploadGates => {
  const slots = createCapacity(most, mostOfClient);
  return (request, response) => {
    const client = clientShare(request, trust);
    return async function passUploadGate(work) {
      if (!slots.take(client, 1)) throw new TooManyUploads();
      let isInside = true;
      const leave = (): void => {
        if (!isInside) return;
        isInside = false;
        remove();
        slots.give(client, 1);
      };
      const { promise: dropped, reject } = Promise.withResolvers<never>();
      // If the work ends first, this promise is not used.
      dropped.catch(() => undefined);
      const remove = slots.enter(
        client,
        senderOf(request, () => {
          leave();
          // The work ends when the connection does.
          if (!response.headersSent) response.setHeader('connection', 'close');
          reject(new TooManyUploads());
        }),
      );
      try {
        const working = work();
        working.catch(() => undefined);
        return await Promise.race([working, dropped]);
      } finally {
        leave();
      }
    };
  };
};
