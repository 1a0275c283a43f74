import { decodeBase64, startsAsAddress, type DecodedBase64 } from '../shared/files/base64';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import {
  type BinaryReference,
  bytesOf,
  type FileFacts,
  type FileStore,
  isFileReference,
  NodeFailure,
  withFacts,
} from '@weft/engine';
import type { CodeItem } from '@weft/sandbox';

/** Limit in bytes of all files that one run of code may read. */
const MAX_READ = 8 * 1024 * 1024;
const MAX_NAME = 1_000;
const DEFAULT_TYPE = 'text/plain';

/** The files that a run of code received: it may return only these as references. */
export class InputFiles {
  readonly #files: FileStore;
  readonly #known = new Map<string, BinaryReference>();
  /** Bytes that the code received, in base64, by id. */
  readonly #given = new Map<string, string>();

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** Lets the code return these items' files. */
  know(items: readonly CodeItem[]): void {
    for (const { binary } of items) {
      if (binary === undefined) continue;
      for (const file of Object.values(binary)) {
        const reference = referenceOf(file);
        if (reference !== undefined) this.#known.set(reference.id, reference);
      }
    }
  }

  /**
   * Items with the bytes of their files, for code that reads them.
   * @throws NodeFailure if they are too large together
   */
  async withBytes(items: readonly CodeItem[]): Promise<CodeItem[]> {
    const read: CodeItem[] = [];
    for (const item of items) {
      const binary: JsonObject = {};
      for (const [name, file] of Object.entries(item.binary ?? {})) {
        const reference = referenceOf(file);
        if (reference !== undefined) binary[name] = { ...reference, data: await this.#bytesOf(reference) };
      }
      read.push(item.binary === undefined ? item : { ...item, binary });
    }
    return read;
  }

  /**
   * Files that code returned, as references. Received files are unchanged; new ones are stored.
   * @throws NodeFailure for anything that is not a file
   */
  async references(binary: JsonObject, itemIndex: number): Promise<Record<string, BinaryReference>> {
    const references: Record<string, BinaryReference> = {};
    for (const [name, file] of Object.entries(binary)) {
      if (!isJsonObject(file)) throw notAFile(name, itemIndex);
      references[name] = await this.#reference(name, file, itemIndex);
    }
    return references;
  }

  async #bytesOf(reference: BinaryReference): Promise<string> {
    const given = this.#given.get(reference.id);
    if (given !== undefined) return given;
    const size = [...this.#given.values()].reduce((sum, text) => sum + text.length, 0) * 0.75 + bytesOf(reference);
    if (size > MAX_READ) throw new NodeFailure(`The files are larger than the ${MAX_READ} bytes that code can read`);
    const text = Buffer.from(await this.#files.read(reference)).toString('base64');
    this.#given.set(reference.id, text);
    return text;
  }

  async #reference(name: string, file: JsonObject, itemIndex: number): Promise<BinaryReference> {
    const { id, data } = file;
    const facts = factsOf(file);
    const known = typeof id === 'string' ? this.#known.get(id) : undefined;
    if (known !== undefined && (data === undefined || data === this.#given.get(known.id)))
      return withFacts(known, facts);
    if (typeof data !== 'string') throw notAFile(name, itemIndex);
    const { bytes, mimeType = DEFAULT_TYPE } = decodedOf(data, name, itemIndex);
    return this.#files.store(bytes, { mimeType, ...facts });
  }
}

/** Code may build base64 carelessly, which a lenient decoder forgives; the head of a `data:` address is no data. */
function decodedOf(data: string, name: string, itemIndex: number): DecodedBase64 {
  if (!startsAsAddress(data)) return { bytes: Buffer.from(data, 'base64') };
  const decoded = decodeBase64(data);
  if (decoded === undefined) throw notAFile(name, itemIndex);
  return decoded;
}

/** The reference in an item of the run; undefined if there is none. */
function referenceOf(file: Json | undefined): BinaryReference | undefined {
  return isFileReference(file) && isJsonObject(file) ? withFacts(file, factsOf(file)) : undefined;
}

function factsOf(file: JsonObject): Partial<FileFacts> {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' && value !== '' ? value.slice(0, MAX_NAME) : undefined;
  const [mimeType, fileName, fileExtension] = [
    text(file['mimeType']),
    text(file['fileName']),
    text(file['fileExtension']),
  ];
  return {
    ...(mimeType === undefined ? {} : { mimeType }),
    ...(fileName === undefined ? {} : { fileName }),
    ...(fileExtension === undefined ? {} : { fileExtension }),
  };
}

function notAFile(name: string, itemIndex: number): NodeFailure {
  return new NodeFailure(`The binary property "${name}" is not a file [item ${itemIndex}]`, {
    itemIndex,
    description:
      'Return a file that the node received, or create one: { data: "<base64>", mimeType: "text/plain", ' +
      'fileName: "name.txt" }.',
  });
}
