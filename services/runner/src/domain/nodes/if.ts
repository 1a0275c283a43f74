import type { Item } from '../engine/items';
import type { NodeContext, NodeExecutor } from '../engine/node';
import { outputs } from '../engine/node';
import { evaluateFilter } from './conditions/evaluate-filter';
import { readFilter } from './conditions/filter-value';
import { evaluateTypedConditions } from './conditions/typed-conditions';
import { booleanParameter } from './read-parameter';

/** Sends every item to the first output if the conditions hold, else to the second. */
export const ifNode: NodeExecutor = {
  kind: 'if',
  actsOutside: false,
  run: (context) => {
    const passed: Item[] = [];
    const others: Item[] = [];
    context.items.forEach((item, index) => {
      const paired = { ...item, pairedItem: { item: index } };
      (holds(context, index) ? passed : others).push(paired);
    });
    return outputs(passed, others);
  },
};

/** An item whose conditions cannot be told goes with those that do not hold, if the node is to go on after failures. */
function holds(context: NodeContext, index: number): boolean {
  try {
    return context.version < 2 ? evaluateTypedConditions(context, index) : evaluateConditions(context, index);
  } catch (failure) {
    if (context.continueOnFail) return false;
    throw failure;
  }
}

function evaluateConditions(context: NodeContext, index: number): boolean {
  const { version } = context;
  const loose = booleanParameter(context, version < 2.1 ? 'options.looseTypeValidation' : 'looseTypeValidation', index);
  const filter = readFilter(context.parameter('conditions', index), {
    caseSensitive: !booleanParameter(context, 'options.ignoreCase', index, true),
    strict: !loose,
    version: version >= 2.3 ? 3 : version >= 2.2 ? 2 : 1,
  });
  return evaluateFilter(filter, { itemIndex: index, timezone: context.timezone });
}
