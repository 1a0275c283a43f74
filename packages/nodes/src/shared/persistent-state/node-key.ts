import { createHash } from 'node:crypto';
import type { NodeContext } from '@weft/engine';

/** Maximum length in bytes of an unshortened name: with its prefix, the service accepts 300. */
const MAX_PLAIN_BYTES = 200;

/**
 * Key of a node's stored state. It contains the node's name, by which workflows refer to nodes. Long names are replaced
 * by a digest.
 */
export function nodeKey(nodeName: string): string {
  const isShort = Buffer.byteLength(nodeName) <= MAX_PLAIN_BYTES;
  return `node:${isShort ? nodeName : createHash('sha256').update(nodeName).digest('hex')}`;
}

/** Identifies a run of a node within its workflow. It stays the same when the run is repeated after a crash. */
export function nodeRunOperation({
  executionId,
  node,
  runIndex,
}: Pick<NodeContext, 'executionId' | 'node' | 'runIndex'>): string {
  return `${executionId}:${nodeKey(node.name)}:${runIndex}`;
}
