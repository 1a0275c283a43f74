import type { NodeExecutor } from '../engine/node';
import { output } from '../engine/node';
import { removeDuplicateItems } from './lists/remove-duplicate-items';

/** Takes out items that are equal to an earlier one of the same run. */
export const removeDuplicates: NodeExecutor = {
  kind: 'removeDuplicates',
  actsOutside: false,
  run: (context) => output(removeDuplicateItems(context, context.version > 1)),
};
