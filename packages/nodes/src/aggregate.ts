import { type NodeExecutor, output } from '@weft/engine';
import { aggregateItems } from './lists/aggregate-items';

/** Makes one item of all. */
export const aggregate: NodeExecutor = {
  kind: 'aggregate',
  actsOutside: false,
  run: (context) => output([aggregateItems(context)]),
};
