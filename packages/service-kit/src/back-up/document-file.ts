import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { BackUpError } from './plan';

/** Properties that identify a file's content. */
export interface FileFacts {
  readonly documents: number;
  /** In hexadecimal, as printed by `sha256sum`. */
  readonly sha256: string;
}

export interface DocumentWriter {
  /** Appends a BSON document and waits if the disk is slower. */
  readonly write: (document: Uint8Array) => Promise<void>;
  readonly end: () => Promise<FileFacts>;
  /** Closes whatever an error left open. */
  readonly abort: () => void;
}

/** MongoDB limits a document to 16 MiB; servers may add slightly more. */
const MAX_DOCUMENT_BYTES = 17 * 2 ** 20;
/** Length (4 bytes) and terminator: an empty document. */
const MIN_DOCUMENT_BYTES = 5;
/** Much faster than the default, and the file is only slightly larger. */
const COMPRESSION = { level: 3 } as const;

/** Writes documents to a compressed file in the format of `mongodump --gzip`. The file must not exist. */
export const writeDocuments = (path: string): DocumentWriter => {
  const gzip = createGzip(COMPRESSION);
  const hash = createHash('sha256');
  const tapped = new PassThrough().on('data', (bytes: Buffer) => void hash.update(bytes));
  const done = pipeline(gzip, tapped, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
  // The next write or the end reports the error.
  done.catch(() => undefined);
  let documents = 0;
  return {
    write: async (document) => {
      documents += 1;
      if (gzip.destroyed) return done;
      if (!gzip.write(document)) await Promise.race([once(gzip, 'drain'), done]);
    },
    end: async () => {
      gzip.end();
      await done;
      return { documents, sha256: hash.digest('hex') };
    },
    abort: () => void gzip.destroy(),
  };
};

/** Reads the documents of a file, one at a time. @throws BackUpError if it is damaged */
export async function* readDocuments(path: string, onBytes?: (bytes: Buffer) => void): AsyncGenerator<Buffer> {
  const damaged = (why: string): BackUpError =>
    new BackUpError(`${path} is damaged: ${why}. Use another copy of the back-up.`);
  const source = createReadStream(path);
  if (onBytes !== undefined) source.on('data', (bytes) => onBytes(Buffer.from(bytes)));
  const gunzip = createGunzip();
  const done = pipeline(source, gunzip);
  done.catch(() => undefined);
  let rest: Buffer = Buffer.alloc(0);
  try {
    for await (const piece of gunzip) {
      rest = rest.length === 0 ? Buffer.from(piece) : Buffer.concat([rest, piece]);
      let at = 0;
      while (rest.length - at >= 4) {
        const length = rest.readInt32LE(at);
        if (length < MIN_DOCUMENT_BYTES || length > MAX_DOCUMENT_BYTES)
          throw damaged(`a document claims to have ${length} bytes`);
        if (rest.length - at < length) break;
        yield rest.subarray(at, at + length);
        at += length;
      }
      rest = rest.subarray(at);
    }
    await done;
  } catch (error) {
    if (error instanceof BackUpError) throw error;
    throw damaged(error instanceof Error ? error.message : String(error));
  } finally {
    source.destroy();
  }
  if (rest.length > 0) throw damaged('its last document is cut off');
}

/** Measures a file. @throws BackUpError if it is damaged */
export const measureFile = async (path: string): Promise<FileFacts> => {
  const hash = createHash('sha256');
  let documents = 0;
  for await (const _ of readDocuments(path, (bytes) => void hash.update(bytes))) documents += 1;
  return { documents, sha256: hash.digest('hex') };
};
