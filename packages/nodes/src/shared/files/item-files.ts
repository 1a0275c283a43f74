import { extension, lookup } from 'mime-types';
import {
  type BinaryReference,
  type FileFacts,
  type FileStore,
  type Item,
  type NodeContext,
  NodeFailure,
} from '@weft/engine';
import { typeOfBytes } from './type-of-bytes';

/** The part of a node run that nodes working on files need. */
export type FileContext = Pick<
  NodeContext,
  'items' | 'pause' | 'parameter' | 'defaultOf' | 'continueOnFail' | 'signal' | 'version' | 'timezone'
> & { readonly ports: Pick<NodeContext['ports'], 'files' | 'clock' | 'formats'> };

/** A file with its content. */
export interface LoadedFile {
  readonly reference: BinaryReference;
  readonly bytes: Uint8Array;
}

/** The file of an item by property name. @throws NodeFailure that lists the existing files otherwise */
export async function loadFile(context: FileContext, itemIndex: number, property: string): Promise<LoadedFile> {
  const binary = context.items[itemIndex]?.binary ?? {};
  const reference = Object.hasOwn(binary, property) ? binary[property] : undefined;
  if (reference === undefined) {
    const present = Object.keys(binary);
    // the words of n8n: workflows match on them
    const message =
      `This operation expects the node's input data to contain a binary file '${property}', ` +
      `but none was found [item ${itemIndex}]`;
    throw new NodeFailure(message, {
      itemIndex,
      description:
        present.length === 0
          ? 'The item has no files: the previous node outputs none.'
          : `The item has files under: ${present.join(', ')}.`,
    });
  }
  return { reference, bytes: await context.ports.files.read(reference) };
}

/**
 * Stores a file under the last segment of a path, or without a name. The type is the first known
 * one of: the given type, the type of the file extension, the type detected from the first bytes, text.
 */
export function storeFile(
  files: FileStore,
  bytes: Uint8Array,
  path: string | undefined,
  mimeType?: string,
): Promise<BinaryReference> {
  return files.store(bytes, factsOf(bytes, path, mimeType));
}

/** Stores a file as `storeFile` does. Without a path its name is `file` with the extension of its type. */
export function storeNamedFile(
  files: FileStore,
  bytes: Uint8Array,
  path: string | undefined,
  mimeType?: string,
): Promise<BinaryReference> {
  const facts = factsOf(bytes, path, mimeType);
  const ending = facts.fileExtension === undefined ? '' : `.${facts.fileExtension}`;
  return files.store(bytes, { fileName: `file${ending}`, ...facts });
}

function factsOf(bytes: Uint8Array, path: string | undefined, mimeType = ''): FileFacts {
  const fileName = path?.split(/[/\\]/).at(-1) ?? '';
  const named = fileName.includes('.') ? lookup(fileName) : false;
  const shown = mimeType === '' && named === false ? typeOfBytes(bytes) : undefined;
  const type = mimeType || named || shown?.mimeType;
  const ending = EXTENSION.exec(fileName)?.[1] ?? shown?.extension ?? (type === undefined ? false : extension(type));
  return {
    mimeType: type ?? 'text/plain',
    ...(fileName === '' ? {} : { fileName }),
    ...(ending === false ? {} : { fileExtension: ending }),
  };
}

/** The file extension of a name. */
const EXTENSION = /^.+\.([a-z0-9]{1,10})$/i;

/** The files of an item without the given ones; undefined if none are left. */
export function filesWithout(binary: Item['binary'], ...names: readonly string[]): Item['binary'] {
  const rest = Object.entries(binary ?? {}).filter(([name]) => !names.includes(name));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
