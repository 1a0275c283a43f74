import { isJsonObject, type Json, textField } from '@weft/node-catalogue';
import { type BinaryReference, type Item, NodeFailure } from '@weft/engine';
import { buildCall } from '../build-call';
import type { PreparedAttachments } from '../prepare-app';
import type { ItemTarget } from './run-item-steps';
import { sendCall } from '../send-call';
import { storeResponse } from './store-file';

/** Maximum number of files that are downloaded into one output item. */
const MAX_FILES = 100;

/**
 * Downloads the attachments of output items, one after the other.
 * @throws NodeFailure if an attachment cannot be downloaded, or an item has too many
 */
export async function withAttachments(
  { request, of }: PreparedAttachments,
  items: readonly Item[],
  target: ItemTarget,
): Promise<Item[]> {
  const filled: Item[] = [];
  for (const item of items) {
    const given = of.json(target.scope.with({ $output: item.json }));
    const attachments = Array.isArray(given) ? given : [];
    if (attachments.length > MAX_FILES)
      throw new NodeFailure(`An item has ${attachments.length} attachments. At most ${MAX_FILES} can be downloaded.`, {
        itemIndex: target.itemIndex,
      });
    const binary: Record<string, BinaryReference> = {};
    for (const $attachment of attachments) {
      const now = { ...target, scope: target.scope.with({ $output: item.json, $attachment }) };
      const response = await sendCall(request, buildCall(request, now), now);
      binary[nameOf($attachment, 'property') ?? 'data'] = await storeResponse(response, target.run, {
        fileName: nameOf($attachment, 'name'),
        mimeType: nameOf($attachment, 'type'),
      });
    }
    filled.push(Object.keys(binary).length === 0 ? item : { ...item, binary: { ...item.binary, ...binary } });
  }
  return filled;
}

function nameOf(attachment: Json, field: string): string | undefined {
  const name = isJsonObject(attachment) ? textField(attachment, field) : undefined;
  return name === '' ? undefined : name;
}
