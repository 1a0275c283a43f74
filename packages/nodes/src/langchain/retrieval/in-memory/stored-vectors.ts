import { createHash } from 'node:crypto';
import { type AreaEntry, type NodeContext, NodeFailure } from '@weft/engine';
import { isJsonObject, type Json, objectField, textField } from '@weft/node-catalogue';
import { nodeRunOperation } from '../../../shared/persistent-state/node-key';
import type { EmbeddedDocument } from '../vector-store/store-backend';

/** Bounds of one store. */
const MAX_VECTORS = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
/** Bytes of one file of a store: the file area allows 32 MiB. */
const FILE_BYTES = 30 * 1024 * 1024;
const LINE_END = 10;
/** Documents between two looks at whether other runs want the thread. */
const BATCH = 50;

/** A document as the files have it. */
export type StoredDocument = Omit<EmbeddedDocument, 'id'>;

/** The part of a node run that a store needs. */
export type StoreContext = Pick<NodeContext, 'ports' | 'pause' | 'executionId' | 'node' | 'runIndex'>;

/**
 * A vector store in the files of a workflow: lines of JSON with the text, the metadata and the vector as base64 of
 * 32-bit numbers. Documents are appended, so that concurrent runs lose none; a repeated run appends nothing again.
 */
export class StoredVectors {
  readonly #folder: string;

  /** @param key name of the store within the workflow */
  constructor(
    private readonly context: StoreContext,
    private readonly key: string,
  ) {
    this.#folder = `vector-stores/${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  }

  /**
   * Calls a function with each document, in the order in which they were stored. Lines that are not documents are left
   * out: other nodes can write the files.
   */
  async each(visit: (document: StoredDocument) => void): Promise<void> {
    await this.#eachIn(await this.#files(), visit);
  }

  async #eachIn(files: readonly AreaEntry[], visit: (document: StoredDocument) => void): Promise<void> {
    let count = 0;
    for (const { path } of files) {
      const bytes = Buffer.from((await this.context.ports.fileArea.read(path)) ?? []);
      let start = 0;
      for (let end = bytes.indexOf(LINE_END); end >= 0 && count < MAX_VECTORS; end = bytes.indexOf(LINE_END, start)) {
        const document = documentOf(bytes.toString('utf8', start, end));
        if (document !== undefined) {
          visit(document);
          count += 1;
        }
        start = end + 1;
        const pause = count % BATCH === 0 ? this.context.pause() : undefined;
        if (pause !== undefined) await pause;
      }
    }
  }

  /**
   * Appends documents.
   * @param clears true to remove all others first
   * @param part number of the insertion within the node run
   * @throws NodeFailure beyond the bounds, and for vectors of another length than the store has
   */
  async insert(documents: readonly StoredDocument[], clears: boolean, part: number): Promise<void> {
    const files = await this.#files();
    let count = 0;
    let length = documents[0]?.vector.length ?? 0;
    if (!clears)
      await this.#eachIn(files, ({ vector }) => {
        if (count === 0 && length > 0) this.#checkLength(vector.length, length);
        length = vector.length;
        count += 1;
      });
    const used = clears ? 0 : files.reduce((sum, { size }) => sum + size, 0);
    const lines = documents.map((one) => Buffer.from(`${lineOf(one)}\n`));
    this.#checkSize(count + documents.length, used + lines.reduce((sum, line) => sum + line.length, 0));
    const operation = `${nodeRunOperation(this.context)}:vectors`;
    let seq = part * 100;
    const write = async (file: number, bytes: Buffer, append: boolean): Promise<void> => {
      await this.context.ports.fileArea.write({ path: this.#path(file), bytes, append, operation, seq });
      seq += 1;
    };
    if (clears) for (const [index] of files.entries()) await write(index, Buffer.alloc(0), false);
    let file = clears ? 0 : Math.max(0, files.length - 1);
    let size = clears ? 0 : (files.at(-1)?.size ?? 0);
    let open: Buffer[] = [];
    for (const line of lines) {
      if (size + line.length > FILE_BYTES) {
        if (open.length > 0) await write(file, Buffer.concat(open), true);
        [file, size, open] = [file + 1, 0, []];
      }
      open.push(line);
      size += line.length;
    }
    if (open.length > 0) await write(file, Buffer.concat(open), true);
  }

  /** @throws NodeFailure if the two are not the same */
  #checkLength(stored: number, given: number): void {
    if (stored === given) return;
    throw new NodeFailure(`The store "${this.key}" has vectors of ${stored} numbers, not of ${given}`, {
      description: 'Use the embedding model with which its documents were stored, another key, or "Clear store".',
    });
  }

  #checkSize(count: number, bytes: number): void {
    const description = 'Use larger chunks, turn on "Clear store", or use another vector store.';
    if (count > MAX_VECTORS)
      throw new NodeFailure(`The store "${this.key}" would have ${count} documents; at most ${MAX_VECTORS} fit`, {
        description,
      });
    if (bytes > MAX_BYTES)
      throw new NodeFailure(`The store "${this.key}" would have ${bytes} bytes; at most ${MAX_BYTES} fit`, {
        description,
      });
  }

  #path(file: number): string {
    return `${this.#folder}/${file}.jsonl`;
  }

  /** The files of the store, in order. */
  async #files(): Promise<AreaEntry[]> {
    const all = new Map((await this.context.ports.fileArea.list()).map(({ path, size }) => [path, size]));
    const files: AreaEntry[] = [];
    for (let path = this.#path(0); all.has(path); path = this.#path(files.length))
      files.push({ path, size: all.get(path) ?? 0 });
    return files;
  }
}

function lineOf({ pageContent, metadata, vector }: StoredDocument): string {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return JSON.stringify({ pageContent, metadata, vector: bytes.toString('base64') });
}

function documentOf(line: string): StoredDocument | undefined {
  const value = parsed(line);
  const [pageContent, encoded] = [textField(value, 'pageContent'), textField(value, 'vector')];
  if (pageContent === undefined || encoded === undefined) return undefined;
  const bytes = Uint8Array.from(Buffer.from(encoded, 'base64'));
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  return { pageContent, metadata: objectField(value, 'metadata') ?? {}, vector: new Float32Array(bytes.buffer) };
}

function parsed(line: string): Json | undefined {
  try {
    const value: Json = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
