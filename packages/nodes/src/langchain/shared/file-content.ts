import type { BinaryReference } from '@weft/engine';
import type { ContentPart } from '@weft/models';

/** A file as a part of a message. @param file its type, and its name if it has one */
export function fileContent(
  { mimeType, fileName }: Pick<BinaryReference, 'mimeType' | 'fileName'>,
  bytes: Uint8Array,
): ContentPart {
  const data = Buffer.from(bytes).toString('base64');
  return { type: 'file', mimeType, data, ...(fileName === undefined ? {} : { name: fileName }) };
}
