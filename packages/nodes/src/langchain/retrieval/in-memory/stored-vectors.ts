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
/** Files of one store. */
const MAX_FILES = 20;
/** Bytes of one write, unless it is one longer line. Boundaries depend on the inserted documents alone. */
const WRITE_BYTES = 8 * 1024 * 1024;
/** Numbers of writes of one insertion: one for each file that is emptied, then one for each group of lines. */
const WRITES = 100;
const LINE_END = 10;
/** Documents between two looks at whether other runs want the thread. */
const BATCH = 50;

/** A document as the files have it. By its id, a repeated insertion finds what is already stored. */
export type StoredDocument = Omit<EmbeddedDocument, 'id'> & Partial<Pick<EmbeddedDocument, 'id'>>;

/** Lines that are written at once: all are stored, or none. */
interface LineGroup {
  /** Id of the first document. */
  readonly id: string;
  readonly bytes: Buffer;
}

/** The part of a node run that a store needs. */
export interface StoreContext extends Pick<NodeContext, 'pause' | 'executionId' | 'node' | 'runIndex'> {
  readonly ports: Pick<NodeContext['ports'], 'fileArea'>;
}

/**
 * A vector store in the files of a workflow: lines of JSON with the text, the metadata and the vector as base64 of
 * 32-bit numbers. Documents are appended, so that concurrent runs lose none. A repeated run appends only what is
 * missing: it has the same groups of lines, and their writes have the same numbers.
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

  async #eachIn(
    files: readonly AreaEntry[],
    visit: (document: StoredDocument, lineBytes: number) => void,
  ): Promise<void> {
    let count = 0;
    for (const { path } of files) {
      const bytes = Buffer.from((await this.context.ports.fileArea.read(path)) ?? []);
      let start = 0;
      for (let end = bytes.indexOf(LINE_END); end >= 0 && count < MAX_VECTORS; end = bytes.indexOf(LINE_END, start)) {
        const document = documentOf(bytes.toString('utf8', start, end));
        if (document !== undefined) {
          visit(document, end + 1 - start);
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
  async insert(documents: readonly EmbeddedDocument[], clears: boolean, part: number): Promise<void> {
    const files = await this.#files();
    const stored = await this.#storedOf(documents, files, clears);
    const groups = await this.#groupsOf(documents);
    const others = clears ? { count: 0, bytes: 0 } : stored.others;
    const bytes = groups.reduce((sum, group) => sum + group.bytes.length, 0);
    this.#checkSize(others.count + documents.length, others.bytes + bytes);
    const operation = `${nodeRunOperation(this.context)}:vectors`;
    const write = (file: number, seq: number, content: Buffer, append: boolean): Promise<void> =>
      this.context.ports.fileArea.write({
        path: this.#path(file),
        bytes: content,
        append,
        operation,
        seq: part * WRITES + seq,
      });
    const sizes = files.map(({ size }) => size);
    if (clears && stored.ids.size === 0)
      for (const file of files.keys()) {
        await write(file, file, Buffer.alloc(0), false);
        sizes[file] = 0;
      }
    let file = Math.max(0, clears && stored.ids.size === 0 ? 0 : sizes.length - 1);
    for (const [number, group] of groups.entries()) {
      if (stored.ids.has(group.id)) continue;
      if ((sizes[file] ?? 0) + group.bytes.length > FILE_BYTES && (sizes[file] ?? 0) > 0) file += 1;
      await write(file, MAX_FILES + number, group.bytes, true);
      sizes[file] = (sizes[file] ?? 0) + group.bytes.length;
    }
  }

  /**
   * Ids that an earlier run of the same insertion has stored, and the size of everything else.
   * @throws NodeFailure for vectors of another length, unless the store is emptied
   */
  async #storedOf(documents: readonly EmbeddedDocument[], files: readonly AreaEntry[], clears: boolean) {
    const own = new Set(documents.map(({ id }) => id));
    const ids = new Set<string>();
    const given = documents[0]?.vector.length ?? 0;
    const others = { count: 0, bytes: files.reduce((sum, { size }) => sum + size, 0) };
    await this.#eachIn(files, ({ id, vector }, lineBytes) => {
      if (id !== undefined && own.has(id)) {
        ids.add(id);
        others.bytes -= lineBytes;
        return;
      }
      if (!clears && others.count === 0 && given > 0) this.#checkLength(vector.length, given);
      others.count += 1;
    });
    return { ids, others };
  }

  /** @throws NodeFailure for a document that no file can have, and for more than a store can have */
  async #groupsOf(documents: readonly EmbeddedDocument[]): Promise<LineGroup[]> {
    const groups: { id: string; lines: Buffer[]; size: number }[] = [];
    let bytes = 0;
    for (const document of documents) {
      const line = Buffer.from(`${lineOf(document)}\n`);
      bytes += line.length;
      this.#checkSize(documents.length, bytes);
      if (line.length > FILE_BYTES)
        throw new NodeFailure(`A document has ${line.length} bytes; at most ${FILE_BYTES} fit in the simple store`, {
          description: 'Use a text splitter, and less metadata.',
        });
      const last = groups.at(-1);
      if (last === undefined || last.size + line.length > WRITE_BYTES)
        groups.push({ id: document.id, lines: [line], size: line.length });
      else {
        last.lines.push(line);
        last.size += line.length;
      }
      const pause = this.context.pause();
      if (pause !== undefined) await pause;
    }
    return groups.map(({ id, lines }) => ({ id, bytes: Buffer.concat(lines) }));
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
    for (let path = this.#path(0); all.has(path) && files.length < MAX_FILES; path = this.#path(files.length))
      files.push({ path, size: all.get(path) ?? 0 });
    return files;
  }
}

function lineOf({ id, pageContent, metadata, vector }: EmbeddedDocument): string {
  const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
  return JSON.stringify({ id, pageContent, metadata, vector: bytes.toString('base64') });
}

function documentOf(line: string): StoredDocument | undefined {
  const value = parsed(line);
  const [pageContent, encoded] = [textField(value, 'pageContent'), textField(value, 'vector')];
  if (pageContent === undefined || encoded === undefined) return undefined;
  const bytes = Uint8Array.from(Buffer.from(encoded, 'base64'));
  if (bytes.length === 0 || bytes.length % 4 !== 0) return undefined;
  const id = textField(value, 'id');
  return {
    ...(id === undefined ? {} : { id }),
    pageContent,
    metadata: objectField(value, 'metadata') ?? {},
    vector: new Float32Array(bytes.buffer),
  };
}

function parsed(line: string): Json | undefined {
  try {
    const value: Json = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
