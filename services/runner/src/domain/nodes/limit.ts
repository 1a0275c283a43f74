import type { NodeContext, NodeExecutor } from '../engine/node';
import { output } from '../engine/node';
import { limitItems } from './lists/limit-items';

/** Keeps the first or the last items. */
export const limit: NodeExecutor = {
  kind: 'limit',
  actsOutside: false,
  run: (context: NodeContext) => output(limitItems(context)),
};
