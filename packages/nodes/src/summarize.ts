import { type NodeExecutor, output } from '@weft/engine';
import { summarizeItems } from './lists/summarize-items';

/** Brings the values of items together: sums, counts, lists, by group. */
export const summarize: NodeExecutor = {
  kind: 'summarize',
  actsOutside: false,
  run: (context) =>
    output(summarizeItems(context, { keepsTypes: context.version > 1, needsFields: context.version < 1.1 })),
};
