import { type Item, type NodeContext, type NodeExecutor, outputs } from '@weft/engine';
import { evaluateFilterParameter } from '../shared/conditions/filter-parameter';
import { evaluateTypedConditions } from '../shared/conditions/typed-conditions';
import { mapItems } from '../shared/each-item';

/** Keeps the items whose conditions hold. The others are on a second output that only the run record contains. */
export const filter: NodeExecutor = {
  kind: 'filter',
  actsOutside: false,
  run: async (context) => {
    const kept: Item[] = [];
    const discarded: Item[] = [];
    await mapItems(context, (item, index) => {
      (holds(context, index) ? kept : discarded).push({ ...item, pairedItem: { item: index } });
    });
    return outputs(kept, discarded);
  },
};

/** From version 2 on, an item whose conditions cannot be evaluated is discarded if the node continues. */
function holds(context: NodeContext, index: number): boolean {
  try {
    if (context.version >= 2) return evaluateFilterParameter(context, 'conditions', index);
    return evaluateTypedConditions(context, index, context.parameter('combineConditions', index) === 'OR');
  } catch (failure) {
    if (context.version >= 2 && context.continueOnFail) return false;
    throw failure;
  }
}
