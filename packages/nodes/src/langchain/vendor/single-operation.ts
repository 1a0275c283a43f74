import { type NodeContext, type NodeResult, output } from '@weft/engine';
import { eachItem, type MadeItem } from '../../shared/each-item';
import { ResponseBudget } from '../../shared/http/response/response-budget';

/** An operation that makes one call for each item. */
export type SingleOperation = (
  context: NodeContext,
  itemIndex: number,
  budget: ResponseBudget,
) => Promise<readonly MadeItem[]>;

/** Makes the calls of all items, one after the other. */
export async function runSingleOperation(context: NodeContext, operation: SingleOperation): Promise<NodeResult> {
  const budget = new ResponseBudget();
  return output(await eachItem(context, (_item, index) => operation(context, index, budget)));
}
