import { type NodeExecutor, output } from '@weft/engine';
import { sortItems } from './lists/sort-items';

/** Puts the items in another order. */
export const sort: NodeExecutor = {
  kind: 'sort',
  actsOutside: false,
  run: async (context) => output(await sortItems(context)),
};
