import type { NodeExecutor, NodeRegistry } from '@weft/engine';
import * as all from './all';

/**
 * Executors of every node kind: all exports of `all.ts`, which has one line for each file. The catalogue describes the
 * same kinds.
 */
export const NODE_REGISTRY: NodeRegistry = new Map(
  Object.values<NodeExecutor>(all).map((executor) => [executor.kind, executor]),
);

export { getPath } from '../shared/values/json-path';
