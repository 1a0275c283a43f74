import { createHash } from 'node:crypto';
import type { NodeContext } from '@weft/engine';

/** Maximum length in bytes of an unshortened name: with its prefix, the service accepts 300. */
const MAX_PLAIN_BYTES = 200;

/**
 * Key of a node's own stored state: by its name, like every reference to it in a workflow. Long names are shortened to
 * a digest.
 */
export function nodeKey(nodeName: string): string {
  const isShort = Buffer.byteLength(nodeName) <= MAX_PLAIN_BYTES;
  return `node:${isShort ? nodeName : createHash('sha256').update(nodeName).digest('hex')}`;
}

/** Identifies a run of a node within its workflow: repeated after a crash it is the same. */
export function nodeRunOperation({
  executionId,
  node,
  runIndex,
}: Pick<NodeContext, 'executionId' | 'node' | 'runIndex'>): string {
  return `${executionId}:${nodeKey(node.name)}:${runIndex}`;
}
