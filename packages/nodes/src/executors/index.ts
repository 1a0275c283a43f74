import type { NodeExecutor, NodeRegistry } from '@weft/engine';
import { APP_EXECUTORS } from '../app/app-executors';
import * as all from './all';

/**
 * Executors of every node kind: all exports of `all.ts`, which has one line for each file, and the kinds of the apps.
 * The catalogue describes the same kinds.
 */
export const NODE_REGISTRY: NodeRegistry = new Map(
  [...Object.values<NodeExecutor>(all), ...APP_EXECUTORS].map((executor) => [executor.kind, executor]),
);

export { prepareWithApps } from '../app/executors-in';
export { getPath } from '../shared/values/json-path';
