import { type NodeExecutor, output } from '@weft/engine';
import { splitOutItems } from './lists/split-out-items';

/** Makes an item of each entry of a list. */
export const splitOut: NodeExecutor = {
  kind: 'splitOut',
  actsOutside: false,
  run: (context) => output(splitOutItems(context)),
};
