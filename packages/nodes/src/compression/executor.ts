import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type ArchivedFile, MAX_UNPACKED, type UnzippedPart } from '../shared/file-formats/tasks';
import { isTar } from '../shared/file-formats/tar-header';
import { runFormatTask } from '../shared/file-formats/run-format-task';
import { type BinaryReference, type Item, messageOf, type NodeExecutor, NodeFailure, output } from '@weft/engine';
import { isObject } from '@weft/service-kit/json';
import { choiceParameter, namesParameter, textParameter } from '../shared/read-parameter';
import { eachItem, type MadeItem } from '../shared/each-item';
import { type FileContext, loadFile, type LoadedFile, storeFile } from '../shared/files/item-files';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

const FORMATS = ['zip', 'tar', 'targz', 'gzip'] as const;
const ARCHIVES = {
  zip: { ending: 'zip', type: 'application/zip' },
  tar: { ending: 'tar', type: 'application/x-tar' },
  targz: { ending: 'tar.gz', type: 'application/gzip' },
} as const;

type Files = Readonly<Record<string, BinaryReference>>;

/** Packs and unpacks ZIP, TAR and gzip. Versions 1 and 1.1: version 1 names gzip files by a prefix and a number. */
export const compression: NodeExecutor = {
  kind: 'compression',
  actsOutside: false,
  run: async (context) =>
    output(
      await eachItem(context, (item, index) =>
        choiceParameter(context, 'operation', index, ['compress', 'decompress']) === 'compress'
          ? compress(context, item, index)
          : decompress(context, item, index),
      ),
    ),
};

async function loadAll(context: FileContext, index: number): Promise<(LoadedFile & { readonly property: string })[]> {
  const names = namesParameter(context, 'binaryPropertyName', index);
  const loaded: (LoadedFile & { readonly property: string })[] = [];
  for (const property of names.length === 0 ? ['data'] : names)
    loaded.push({ property, ...(await loadFile(context, index, property)) });
  return loaded;
}

async function decompress(context: FileContext, item: Item, index: number): Promise<readonly MadeItem[]> {
  const prefix = textParameter(context, 'outputPrefix', index, 'file_');
  const made: Record<string, BinaryReference> = {};
  for (const { reference, bytes } of await loadAll(context, index)) {
    for (const { name, bytes: content } of await unpacked(context, reference, bytes)) {
      made[`${prefix}${Object.keys(made).length}`] = await storeFile(context.ports.files, content, name);
    }
  }
  return [{ json: item.json, binary: made }];
}

/** Detects the format by the first bytes, since names and types are often wrong. */
async function unpacked(
  context: FileContext,
  reference: BinaryReference,
  bytes: Uint8Array,
): Promise<readonly ArchivedFile[]> {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return partsOf(context, 'unzip', bytes);
  const name = reference.fileName ?? '';
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // The content of gzip is only known after unpacking, so the name decides here.
  if (isPacked ? /\.(tgz|tar\.gz)$/i.test(name) : isTar(bytes)) return partsOf(context, 'untar', bytes);
  if (!isPacked) throw new NodeFailure(`The file "${name}" is neither ZIP nor TAR nor gzip`);
  try {
    return [
      { name: nameInside(reference.fileName ?? 'file'), bytes: await unpack(bytes, { maxOutputLength: MAX_UNPACKED }) },
    ];
  } catch (error) {
    const isLarge = isObject(error) && error['code'] === 'ERR_BUFFER_TOO_LARGE';
    throw new NodeFailure(
      isLarge
        ? `The file has more than ${MAX_UNPACKED / 1024 / 1024} MB when it is unpacked`
        : `The file cannot be unpacked: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** The name of the file in a gzip file: up to its first dot, and the extension before `.gz`. */
function nameInside(name: string): string {
  const ending = /\.([^.]+)\.gz$/.exec(name)?.[1];
  return ending === undefined ? beginningOf(name) : `${beginningOf(name)}.${ending}`;
}

/** A name up to its first dot. */
function beginningOf(name: string): string {
  return name.split('.')[0] ?? name;
}

/** Reads all parts: an archive may hold more than one response. */
async function partsOf(
  context: FileContext,
  task: 'untar' | 'unzip',
  bytes: Uint8Array,
): Promise<readonly ArchivedFile[]> {
  const all: ArchivedFile[] = [];
  for (let from: number | undefined = 0; from !== undefined;) {
    const part: UnzippedPart = await runFormatTask(context, task, { bytes, from });
    all.push(...part.files);
    from = part.next;
  }
  return all;
}

async function compress(context: FileContext, item: Item, index: number): Promise<readonly MadeItem[]> {
  const loaded = await loadAll(context, index);
  const format = choiceParameter(context, 'outputFormat', index, FORMATS);
  const made =
    format === 'gzip' ? await gzipped(context, loaded, index) : await archived(context, format, loaded, index);
  return [{ json: item.json, binary: made }];
}

async function archived(
  context: FileContext,
  format: keyof typeof ARCHIVES,
  loaded: readonly (LoadedFile & { readonly property: string })[],
  index: number,
): Promise<Files> {
  const files = loaded.map(({ reference, bytes, property }) => ({ name: reference.fileName ?? property, bytes }));
  const bytes =
    format === 'zip'
      ? await runFormatTask(context, 'zip', { files })
      : await runFormatTask(context, 'tar', { files, gzip: format === 'targz' });
  const { ending, type } = ARCHIVES[format];
  const fileName = textParameter(context, 'fileName', index) || `data.${ending}`;
  return {
    [textParameter(context, 'binaryPropertyOutput', index) || 'data']: await storeFile(
      context.ports.files,
      bytes,
      fileName,
      type,
    ),
  };
}

async function gzipped(
  context: FileContext,
  loaded: readonly (LoadedFile & { readonly property: string })[],
  index: number,
): Promise<Files> {
  const isFirst = context.version < 1.1;
  const given = isFirst ? '' : textParameter(context, 'fileName', index).replace(/\.gz(ip)?$/, '');
  const prefix = textParameter(context, isFirst ? 'outputPrefix' : 'binaryPropertyOutput', index) || 'data';
  const made: Record<string, BinaryReference> = {};
  for (const [number, file] of loaded.entries()) {
    const fileName = file.reference.fileName ?? file.property;
    const name = given || beginningOf(fileName);
    const extension = file.reference.fileExtension ?? /\.([^.]+)$/.exec(fileName)?.[1];
    const ending = extension === undefined ? '' : `.${extension.toLowerCase()}`;
    made[`${prefix}${isFirst || number > 0 ? number : ''}`] = await gzipFile(
      context,
      file,
      isFirst ? `${name}.gzip` : `${name}${ending}.gz`,
    );
  }
  return made;
}

async function gzipFile(context: FileContext, { bytes }: LoadedFile, fileName: string): Promise<BinaryReference> {
  return storeFile(context.ports.files, await pack(bytes), fileName, 'application/gzip');
}
