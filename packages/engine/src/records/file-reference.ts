import type { BinaryReference } from '../items/items';
import type { FileFacts } from '../ports/files';

const UNITS = ['B', 'kB', 'MB', 'GB'];

/** The reference that items hold to a file of `bytes` bytes. */
export function referenceTo(id: string, { mimeType, ...names }: FileFacts, bytes: number): BinaryReference {
  const fileType = fileTypeOf(mimeType);
  return {
    id,
    mimeType,
    ...(fileType === undefined ? {} : { fileType }),
    ...names,
    fileSize: readableSize(bytes),
    bytes,
  };
}

/** The same file under another name or type. */
export function withFacts(reference: BinaryReference, facts: Partial<FileFacts>): BinaryReference {
  const { id, mimeType, fileName, fileExtension } = reference;
  const names = {
    ...(fileName === undefined ? {} : { fileName }),
    ...(fileExtension === undefined ? {} : { fileExtension }),
  };
  return referenceTo(id, { mimeType, ...names, ...facts }, bytesOf(reference));
}

/** True for what refers to a file, by its form. */
export function isFileReference(value: unknown): value is BinaryReference {
  return (
    typeof value === 'object' &&
    value !== null &&
    'id' in value &&
    typeof value.id === 'string' &&
    'mimeType' in value &&
    typeof value.mimeType === 'string' &&
    'fileSize' in value &&
    (typeof value.fileSize === 'string' || typeof value.fileSize === 'number')
  );
}

/** Bytes of a file. References of earlier versions state them as `fileSize`. */
export function bytesOf({ bytes, fileSize }: BinaryReference): number {
  if (typeof bytes === 'number') return bytes;
  return typeof fileSize === 'number' ? fileSize : 0;
}

/** A number of bytes in decimal units, with three significant digits: `1.23 kB`. */
function readableSize(bytes: number): string {
  const exponent = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${exponent === 0 ? bytes : Number((bytes / 1_000 ** exponent).toPrecision(3))} ${UNITS[exponent]}`;
}

/** The word by which views of files are told apart; undefined for types without one. */
function fileTypeOf(mimeType: string): string | undefined {
  if (mimeType.startsWith('application/json')) return 'json';
  if (mimeType.startsWith('text/html')) return 'html';
  if (mimeType.startsWith('application/pdf')) return 'pdf';
  return /^(image|audio|video|text)\//.exec(mimeType)?.[1];
}
