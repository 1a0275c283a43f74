import type { NodeExecutor, NodeRegistry } from '@weft/engine';
import * as all from './all';

/**
 * Every node kind that can run: what `all.ts` exports, one line there for each file. The catalogue describes the same
 * kinds.
 */
export const NODE_REGISTRY: NodeRegistry = new Map(
  Object.values<NodeExecutor>(all).map((executor) => [executor.kind, executor]),
);
