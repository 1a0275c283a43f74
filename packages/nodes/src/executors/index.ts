import type { NodeExecutor, NodeRegistry } from '@weft/engine';
import { APP_EXECUTORS } from '../app/app-executors';
import { describeKind } from '../descriptors/kinds';
import { TOOL_RUNS } from '../langchain/tools/variant/tool-runs';
import { ToolRegistry } from '../langchain/tools/variant/tool-registry';
import * as all from './all';

/**
 * Executors of every node kind: all exports of `all.ts`, which has one line for each file, and the kinds of the apps.
 * The catalogue describes the same kinds. Their tools are found by name, but not listed.
 */
export const NODE_REGISTRY: NodeRegistry = new ToolRegistry(
  [...Object.values<NodeExecutor>(all), ...APP_EXECUTORS].map((executor) => [executor.kind, executor]),
  describeKind,
  TOOL_RUNS,
);

export { prepareWithApps } from '../app/executors-in';
export { chatWithoutReply } from '../langchain/chat/transcript';
export { getPath } from '../shared/values/json-path';
