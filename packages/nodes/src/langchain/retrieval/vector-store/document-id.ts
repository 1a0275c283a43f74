import { createHash } from 'node:crypto';
import type { NodeContext } from '@weft/engine';
import { nodeRunOperation } from '../../../shared/persistent-state/node-key';

/**
 * The id of a document in a store: a UUID that is the same if the run of the node is repeated.
 * @param part number of the document within the item
 */
export function documentId(context: NodeContext, itemIndex: number, part: number): string {
  const digest = createHash('sha256')
    .update(`${nodeRunOperation(context)}:${itemIndex}:${part}`)
    .digest();
  // version 8 of RFC 9562: free content
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
