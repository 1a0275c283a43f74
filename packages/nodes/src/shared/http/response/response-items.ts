import type { Json, JsonObject } from '@weft/node-catalogue';
import { isJsonObject } from '@weft/node-catalogue';
import { type FileStore, type Item, NodeFailure } from '@weft/engine';
import { fileFactsOf } from './file-facts';
import { headersOf, type ReadResponse } from './read-response';
import type { ResponseSettings } from '../settings';

/**
 * The items of a response, each linked to the input item of its request. A JSON array becomes an item for each entry,
 * unless headers and status are included or splitting is turned off. A file is added to the files of the input item,
 * whose JSON stays unless it is replaced by headers and status.
 * @throws NodeFailure if the response is a file and files cannot be stored
 */
export async function itemsOf(
  read: ReadResponse,
  settings: ResponseSettings,
  itemIndex: number,
  files: FileStore | undefined,
  input: Item | undefined,
): Promise<Item[]> {
  const { response } = read;
  const pairedItem = { item: itemIndex };
  const head: JsonObject = settings.isFull
    ? { headers: headersOf(response), statusCode: response.status, statusMessage: response.statusText }
    : {};
  switch (read.kind) {
    case 'json':
      if (settings.isFull)
        return [{ json: { ...(response.body.length === 0 ? {} : { body: read.body }), ...head }, pairedItem }];
      if (settings.keepsLists === true && Array.isArray(read.body))
        return [{ json: Object.fromEntries(read.body.entries()), pairedItem }];
      return (Array.isArray(read.body) ? read.body : [read.body]).map((entry) => ({
        json: objectOf(entry),
        pairedItem,
      }));
    case 'text':
      return [
        { json: { ...(read.body === undefined ? {} : { [settings.property]: read.body }), ...head }, pairedItem },
      ];
    case 'file': {
      if (files === undefined) {
        throw new NodeFailure('The response is a file, and files cannot be stored here yet.', {
          description: 'Set the response format to JSON or text, or request another format from the service.',
        });
      }
      const reference = await files.store(response.body, fileFactsOf(response));
      const json = settings.isFull ? head : (input?.json ?? {});
      return [{ json, binary: { ...input?.binary, [settings.property]: reference }, pairedItem }];
    }
  }
}

/** Items must be objects: any other value is put under `data`. */
function objectOf(value: Json): JsonObject {
  if (isJsonObject(value)) return value;
  return value === null ? {} : { data: value };
}
