import { plainValue } from '@weft/node-catalogue';
import {
  messageOf,
  type NodeContext,
  type NodeExecutor,
  type NodeResult,
  type NodeShape,
  output,
  outputs,
} from '@weft/engine';
import { removeDuplicateItems } from './remove-duplicate-items';
import { choiceParameter } from '../shared/read-parameter';
import { clearHistory, removeSeenItems } from './remove-seen-items';

const OPERATIONS = [
  'removeDuplicateInputItems',
  'removeItemsSeenInPreviousExecutions',
  'clearDeduplicationHistory',
] as const;

/** Removes items that are equal to an earlier one, of the same run or of previous runs. */
export const removeDuplicates: NodeExecutor = {
  kind: 'removeDuplicates',
  // When it runs again after a crash it outputs the same, as long as its history includes the first run.
  actsOutside: isAcrossRuns,
  outputCount: (shape) => (isAcrossRuns(shape) ? 2 : 1),
  run: async (context) => {
    try {
      return await perform(context);
    } catch (thrown) {
      // Before version 2 the items pass.
      if (context.version < 2 || !context.continueOnFail || context.signal.aborted) throw thrown;
      return output([{ json: { error: messageOf(thrown) } }]);
    }
  },
};

async function perform(context: NodeContext): Promise<NodeResult> {
  switch (operationOf(context)) {
    case 'removeDuplicateInputItems':
      return output(removeDuplicateItems(context, context.version > 1 ? 'null' : 'refused'));
    case 'removeItemsSeenInPreviousExecutions':
      return outputs(...(await removeSeenItems(context)));
    case 'clearDeduplicationHistory':
      await clearHistory(context);
      return output(context.items.map((item, index) => ({ ...item, pairedItem: { item: index } })));
  }
}

function operationOf(context: NodeContext): (typeof OPERATIONS)[number] {
  return context.version < 2
    ? 'removeDuplicateInputItems'
    : choiceParameter(context, 'operation', 0, OPERATIONS, 'removeDuplicateInputItems');
}

function isAcrossRuns(shape: NodeShape): boolean {
  return shape.version >= 2 && plainValue(shape.rawParameter('operation')) === 'removeItemsSeenInPreviousExecutions';
}
