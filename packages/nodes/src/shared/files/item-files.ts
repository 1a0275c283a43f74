import { contentType, extension } from 'mime-types';
import { type BinaryReference, type FileStore, type Item, type NodeContext, NodeFailure } from '@weft/engine';

/** The part of a node run that nodes working on files need. */
export type FileContext = Pick<
  NodeContext,
  'items' | 'pause' | 'parameter' | 'defaultOf' | 'continueOnFail' | 'signal' | 'version' | 'timezone'
> & { readonly ports: Pick<NodeContext['ports'], 'files' | 'clock' | 'formats'> };

/** A file with its bytes. */
export interface LoadedFile {
  readonly reference: BinaryReference;
  readonly bytes: Uint8Array;
}

/** The file of an item under a name. @throws NodeFailure that lists the existing ones otherwise. */
export async function loadFile(context: FileContext, itemIndex: number, property: string): Promise<LoadedFile> {
  const binary = context.items[itemIndex]?.binary ?? {};
  const reference = Object.hasOwn(binary, property) ? binary[property] : undefined;
  if (reference === undefined) {
    const present = Object.keys(binary);
    throw new NodeFailure(`The item has no file under "${property}"`, {
      itemIndex,
      description:
        present.length === 0
          ? 'It has no files at all: the node before gives none.'
          : `It has files under: ${present.join(', ')}.`,
    });
  }
  return { reference, bytes: await context.ports.files.read(reference) };
}

/** Stores a file, under a name if there is one. The default type is that of the name's extension. */
export function storeFile(
  files: FileStore,
  bytes: Uint8Array,
  fileName: string | undefined,
  mimeType?: string,
): Promise<BinaryReference> {
  const type = mimeType === undefined || mimeType === '' ? typeOfName(fileName ?? '') : mimeType;
  const ending = /\.([a-z0-9]{1,10})$/i.exec(fileName ?? '')?.[1]?.toLowerCase() ?? (extension(type) || undefined);
  return files.store(bytes, {
    mimeType: type,
    ...(fileName === undefined ? {} : { fileName }),
    ...(ending === undefined ? {} : { fileExtension: ending }),
  });
}

/** A name for a file of a type; without an ending if the type is unknown. */
export function nameForType(mimeType: string | undefined): string {
  const ending = mimeType === undefined ? false : extension(mimeType);
  return ending === false ? 'file' : `file.${ending}`;
}

function typeOfName(fileName: string): string {
  return (
    (
      contentType(fileName.includes('.') ? (fileName.split(/[/\\]/).at(-1) ?? '') : '') || 'application/octet-stream'
    ).split(';')[0] ?? ''
  );
}

/** Files of an item without some of them; undefined if none is left. */
export function filesWithout(binary: Item['binary'], ...names: readonly string[]): Item['binary'] {
  const rest = Object.entries(binary ?? {}).filter(([name]) => !names.includes(name));
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}
