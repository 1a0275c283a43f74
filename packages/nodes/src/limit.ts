import { type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { limitItems } from './lists/limit-items';

/** Keeps the first or the last items. */
export const limit: NodeExecutor = {
  kind: 'limit',
  actsOutside: false,
  run: (context: NodeContext) => output(limitItems(context)),
};
