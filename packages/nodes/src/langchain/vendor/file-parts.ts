import { type NodeContext, NodeFailure } from '@weft/engine';
import type { ContentPart } from '@weft/models';
import { loadFile } from '../../shared/files/item-files';
import { namesParameter } from '../../shared/read-parameter';
import { fileContent } from '../shared/file-content';

/** Bytes of a file, and number of files that one item may send. */
const [MAX_FILE, MAX_FILES] = [20_971_520, 20];

/** Addresses or fields of files that a parameter lists. @throws NodeFailure without one, and for too many */
export function fileNames(context: NodeContext, parameter: string, itemIndex: number): string[] {
  const names = namesParameter(context, parameter, itemIndex);
  if (names.length === 0)
    throw new NodeFailure('The item has no file to send', {
      itemIndex,
      description: `Set the parameter "${parameter}".`,
    });
  if (names.length > MAX_FILES)
    throw new NodeFailure(`The item has ${names.length} files; at most ${MAX_FILES} are sent`, { itemIndex });
  return names;
}

/** A file of the item. @param name replaces the name of the file if not empty @throws NodeFailure if it is too large */
export async function filePart(
  context: NodeContext,
  property: string,
  itemIndex: number,
  name = '',
): Promise<ContentPart> {
  const { reference, bytes } = await loadFile(context, itemIndex, property);
  checkSize(property, bytes, itemIndex);
  return fileContent(name === '' ? reference : { ...reference, fileName: name }, bytes);
}

/** @throws NodeFailure for a file that is too large to be sent to a model */
export function checkSize(name: string, { length }: Uint8Array, itemIndex: number): void {
  if (length > MAX_FILE)
    throw new NodeFailure(`The file "${name}" has ${length} bytes; at most ${MAX_FILE} can be sent`, { itemIndex });
}

/** A file that the service fetches. @throws NodeFailure for a text that is not an address */
export function addressPart(address: string, mimeType: string, itemIndex: number): ContentPart {
  const url = address.trim();
  if (!/^(?:https?:\/\/|data:)/i.test(url))
    throw new NodeFailure('The address of a file must begin with http:// or https://', { itemIndex });
  return { type: 'fileUrl', mimeType, url };
}
