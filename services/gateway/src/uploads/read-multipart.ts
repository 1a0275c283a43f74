import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { InvalidRequest, ServiceError } from '@weft/service-kit/errors';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { PayloadTooLarge, RequestAborted } from '../errors';
import { drain, isAborted } from '../middleware/responses/drain';
import { MAX_BODY_BYTES } from '../middleware/bodies/read-body';
import { watchProgress } from '../middleware/limits/watch-progress';
import { decodePieces, isCompressed } from './decode-pieces';
import { type FileReference, MAX_FILE_BYTES, type StoreFile } from './store-file';

/** A stored file of a multipart body. */
export interface SentFile {
  /** Name of the part. */
  readonly field: string;
  readonly reference: FileReference;
}

/** A multipart body, in order. */
export interface Multipart {
  readonly fields: readonly (readonly [string, string])[];
  readonly files: readonly SentFile[];
}

/** Bounds of one body. */
export const MULTIPART_LIMITS = {
  files: 20,
  fields: 1_000,
  /** As a JSON body: programs send pictures as base64 in a field. */
  allFieldBytes: MAX_BODY_BYTES,
  nameLength: 200,
  allBytes: 100_000_000,
} as const;

const parserOf = (request: IncomingMessage): BusboyInstance => {
  const { files, fields, allFieldBytes } = MULTIPART_LIMITS;
  const limits = {
    files,
    fields,
    parts: files + fields,
    fieldSize: allFieldBytes,
    fileSize: MAX_FILE_BYTES,
    headerPairs: 20,
    headerSize: 8_192,
  };
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': request.headers['content-type'] ?? '' },
      limits,
    });
  } catch {
    throw new InvalidRequest('The multipart body cannot be read: its Content-Type names no boundary.', [
      { field: 'Content-Type', message: 'Write multipart/form-data; boundary=...' },
    ]);
  }
};

async function* wholeFile(stream: BusboyFileStream): AsyncGenerator<Buffer> {
  for await (const piece of stream) if (Buffer.isBuffer(piece)) yield piece;
  if (stream.truncated) throw new PayloadTooLarge(`A file must not exceed ${MAX_FILE_BYTES / 1024 / 1024} MB.`);
}

const checkName = (name: string): void => {
  if (name === '' || name.length > MULTIPART_LIMITS.nameLength)
    throw new InvalidRequest(`The name of a part must have 1 to ${MULTIPART_LIMITS.nameLength} characters.`);
};

/** Dependencies of reading a multipart body. */
export interface PartIntake {
  readonly store: StoreFile;
  /** Counts bytes that are held in memory until the request is answered. @throws BodyMemoryFull */
  readonly hold: (bytes: number) => void;
}

/** Collects the parser's results; `fail` reports errors. */
class Collector {
  readonly #fields: [string, string][] = [];
  readonly #files: Promise<SentFile>[] = [];
  readonly #open = new Set<BusboyFileStream>();
  #fieldBytes = 0;
  #isOver = false;

  constructor(
    private readonly intake: PartIntake,
    private readonly fail: (error: unknown) => void,
  ) {}

  field(name: string, value: string, isCut: boolean): void {
    this.#guard(() => {
      checkName(name);
      this.#fieldBytes += name.length + value.length;
      if (isCut || this.#fieldBytes > MULTIPART_LIMITS.allFieldBytes)
        throw new PayloadTooLarge(
          `The text fields of a form can have ${MULTIPART_LIMITS.allFieldBytes / 1_000_000} MB in all.`,
        );
      this.intake.hold(name.length + value.length);
      this.#fields.push([name, value]);
    });
  }

  file(name: string, stream: BusboyFileStream, fileName: string | undefined, mimeType: string): void {
    // An abandoned stream is destroyed, and reports that with an error that is ignored.
    stream.on('error', () => undefined);
    // Browsers send a nameless part for a file input without a chosen file.
    if (this.#isOver || fileName === undefined || fileName === '') {
      stream.resume();
      return;
    }
    this.#guard(() => {
      checkName(name);
      this.#open.add(stream);
      stream.once('close', () => this.#open.delete(stream));
      const stored = this.intake.store({ mimeType, fileName }, wholeFile(stream)).then((reference) => ({
        field: name,
        reference,
      }));
      stored.catch((error: unknown) => this.fail(error));
      this.#files.push(stored);
    });
  }

  /** Everything, once all files are stored. */
  async whole(): Promise<Multipart> {
    return { fields: this.#fields, files: await Promise.all(this.#files) };
  }

  stop(): void {
    this.#isOver = true;
    for (const stream of this.#open) stream.destroy();
  }

  #guard(work: () => void): void {
    if (this.#isOver) return;
    try {
      work();
    } catch (error) {
      this.fail(error);
    }
  }
}

const broken = (): InvalidRequest => new InvalidRequest('The multipart body is incomplete or malformed.');

const tooMany = (): PayloadTooLarge =>
  new PayloadTooLarge(`A form can have ${MULTIPART_LIMITS.files} files and ${MULTIPART_LIMITS.fields} other fields.`);

/**
 * Reads a multipart body part by part. Its files are stored while they arrive, and are never completely in memory.
 * @throws InvalidRequest; PayloadTooLarge; RequestAborted; errors of storing
 */
export const readMultipart = (
  request: IncomingMessage,
  response: ServerResponse,
  intake: PartIntake,
): Promise<Multipart> =>
  new Promise((resolve, reject) => {
    const parser = parserOf(request);
    const source: Readable = isCompressed(request) ? Readable.from(decodePieces(request, response)) : request;
    let size = 0;
    let isOver = false;
    const fail = (error: unknown): void => {
      if (isOver) return;
      isOver = true;
      endWatch();
      source.unpipe(parser);
      source.off('data', count);
      collector.stop();
      if (source === request) drain(request);
      else source.destroy();
      // The parser's results for an incomplete body do not matter.
      if (isAborted(request)) reject(new RequestAborted());
      else reject(error instanceof ServiceError ? error : broken());
    };
    const count = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > MULTIPART_LIMITS.allBytes)
        fail(new PayloadTooLarge(`The body exceeds the limit of ${MULTIPART_LIMITS.allBytes / 1_000_000} MB.`));
    };
    // A decompressed body is watched by its generator.
    const endWatch = source === request ? watchProgress(request, response, fail) : () => undefined;
    const collector = new Collector(intake, fail);
    parser.on('field', (name, value, _nameCut, isCut) => collector.field(name, value, isCut));
    parser.on('file', (name, stream, fileName, _encoding, mimeType) =>
      collector.file(name, stream, fileName, mimeType),
    );
    for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'] as const) parser.on(limit, () => fail(tooMany()));
    parser.on('error', fail);
    parser.on('finish', () => {
      collector.whole().then((body) => {
        if (!isOver) resolve(body);
      }, fail);
    });
    source.on('data', count);
    source.once('error', fail);
    request.once('close', () => {
      if (!request.readableEnded) fail(new RequestAborted());
    });
    source.pipe(parser);
    if (request.headers.expect !== undefined) response.writeContinue();
  });

/** Files by their names in an item. */
export type ItemFiles = Readonly<Record<string, FileReference>>;

/**
 * Names of files in an item: that of the part, numbered from 0 if several parts share it; or the name set in the node,
 * numbered across all files.
 * @param prefix the node's name; empty: none
 */
export const nameFiles = (files: readonly SentFile[], prefix: string): ItemFiles => {
  const byField = new Map<string, FileReference[]>();
  for (const { field, reference } of files) byField.set(field, [...(byField.get(field) ?? []), reference]);
  const named: [string, FileReference][] = [];
  for (const [field, references] of byField) {
    const base = field.endsWith('[]') ? field.slice(0, -2) : field;
    references.forEach((reference, index) => {
      const own = references.length === 1 ? base : `${base}${index}`;
      named.push([prefix === '' ? own : `${prefix}${named.length}`, reference]);
    });
  }
  return Object.fromEntries(named);
};
