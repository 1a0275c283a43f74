import type { BinaryReference } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';

const UNITS = ['B', 'kB', 'MB', 'GB'];

/** A number of bytes in decimal units, with three significant digits: `1.23 kB`. */
export function readableSize(bytes: number): string {
  const exponent = Math.min(bytes < 1 ? 0 : Math.floor(Math.log10(bytes) / 3), UNITS.length - 1);
  return `${exponent === 0 ? bytes : Number((bytes / 1_000 ** exponent).toPrecision(3))} ${UNITS[exponent]}`;
}

/** The word by which views of files are told apart; undefined for types without one. */
export function fileTypeOf(mimeType: string): string | undefined {
  if (mimeType.startsWith('application/json')) return 'json';
  if (mimeType.startsWith('text/html')) return 'html';
  if (mimeType.startsWith('application/pdf')) return 'pdf';
  return /^(image|audio|video|text)\//.exec(mimeType)?.[1];
}

/** What an item says of its file. */
export function fileFacts({ mimeType, fileName, fileExtension, fileSize }: BinaryReference): JsonObject {
  const fileType = fileTypeOf(mimeType);
  return {
    mimeType,
    ...(fileType === undefined ? {} : { fileType }),
    ...(fileName === undefined ? {} : { fileName }),
    ...(fileExtension === undefined ? {} : { fileExtension }),
    fileSize: readableSize(fileSize ?? 0),
  };
}
