import { createHash } from 'node:crypto';
import type { NodeContext } from '@weft/engine';

/** Bytes of a name that are kept as they are: with what stands before it, the service takes 300. */
const MAX_PLAIN_BYTES = 200;

/**
 * Where a node keeps something for itself: by its name, like everything in a workflow refers to it. Long names are
 * shortened to a digest.
 */
export function nodeKey(nodeName: string): string {
  const isShort = Buffer.byteLength(nodeName) <= MAX_PLAIN_BYTES;
  return `node:${isShort ? nodeName : createHash('sha256').update(nodeName).digest('hex')}`;
}

/** What names a run of a node within its workflow: repeated after a crash it is the same. */
export function nodeRunOperation({
  executionId,
  node,
  runIndex,
}: Pick<NodeContext, 'executionId' | 'node' | 'runIndex'>): string {
  return `${executionId}:${nodeKey(node.name)}:${runIndex}`;
}
