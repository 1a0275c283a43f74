import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import type { FileStore } from '../ports/files';
import type { BinaryReference, Item } from './items';

const DEFAULT_TYPE = 'text/plain';

/**
 * The pinned items with the files that their pins hold in base64 (`binary.<name>.data`), stored with the run. A file
 * that a pin only refers to lies in the instance it was exported from, and is left out.
 * @param items as `readPins` gives them for these pins
 */
export async function storePinnedFiles(
  items: readonly Item[],
  pins: readonly Json[],
  files: FileStore,
): Promise<readonly Item[]> {
  const held = pins.filter(isJsonObject).map(filesOf);
  if (held.every((each) => each.length === 0)) return items;
  return Promise.all(
    items.map(async (item, index) => {
      const stored: Record<string, BinaryReference> = {};
      for (const [name, file, data] of held[index] ?? []) {
        const [fileName, fileExtension] = [text(file['fileName']), text(file['fileExtension'])];
        stored[name] = await files.store(Buffer.from(data, 'base64'), {
          mimeType: text(file['mimeType']) ?? DEFAULT_TYPE,
          ...(fileName === undefined ? {} : { fileName }),
          ...(fileExtension === undefined ? {} : { fileExtension }),
        });
      }
      return Object.keys(stored).length === 0 ? item : { ...item, binary: stored };
    }),
  );
}

type HeldFile = readonly [name: string, file: JsonObject, data: string];

/** The files of a pin that is an item; a pin that is only the item's JSON has none. */
function filesOf({ json, binary }: JsonObject): HeldFile[] {
  if (!isJsonObject(json) || !isJsonObject(binary)) return [];
  return Object.entries(binary).flatMap(([name, file]): HeldFile[] => {
    const data = isJsonObject(file) ? text(file['data']) : undefined;
    // An exported pin may name where its bytes lie instead of holding them.
    return isJsonObject(file) && data !== undefined && file['id'] === undefined ? [[name, file, data]] : [];
  });
}

function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
