import type { NodeContext } from '@weft/engine';
import type { JsonObject } from '@weft/node-catalogue';
import type { MadeItem } from '../../shared/each-item';
import { storeFile } from '../../shared/files/item-files';

/** An item with a file, and facts of the file as its JSON. */
export async function storedItem(
  context: NodeContext,
  bytes: Uint8Array,
  property: string,
  name: string,
  mimeType?: string,
): Promise<MadeItem> {
  const reference = await storeFile(context.ports.files, bytes, name, mimeType);
  const json: JsonObject = JSON.parse(JSON.stringify(reference));
  return { json, binary: { [property]: reference } };
}
