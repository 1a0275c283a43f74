import { type Item, type NodeContext, type NodeExecutor, outputs } from '@weft/engine';
import { evaluateFilterParameter } from '../shared/conditions/filter-parameter';
import { evaluateTypedConditions } from '../shared/conditions/typed-conditions';
import { mapItems } from '../shared/each-item';
import { choiceParameter } from '../shared/read-parameter';

/** Sends every item to the first output if the conditions hold, else to the second. */
export const ifNode: NodeExecutor = {
  kind: 'if',
  actsOutside: false,
  run: async (context) => {
    const passed: Item[] = [];
    const others: Item[] = [];
    await mapItems(context, (item, index) => {
      const paired = { ...item, pairedItem: { item: index } };
      (holds(context, index) ? passed : others).push(paired);
    });
    return outputs(passed, others);
  },
};

/**
 * From version 2 on, an item whose conditions cannot be evaluated goes to the second output if the node continues on
 * failure; before, the whole node fails.
 */
function holds(context: NodeContext, index: number): boolean {
  try {
    return context.version < 2
      ? evaluateTypedConditions(context, index, isAny(context, index))
      : evaluateFilterParameter(context, 'conditions', index);
  } catch (failure) {
    if (context.version >= 2 && context.continueOnFail) return false;
    throw failure;
  }
}

function isAny(context: NodeContext, index: number): boolean {
  return choiceParameter(context, 'combineOperation', index, ['all', 'any'], 'all') === 'any';
}
