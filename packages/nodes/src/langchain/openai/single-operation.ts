import { type Item, messageOf, type NodeContext, type NodeResult, output } from '@weft/engine';
import { type MadeItem, withOrigin } from '../../shared/each-item';
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
  const items: Item[] = [];
  for (const item of context.items.keys()) {
    await context.pause();
    const made = await outcomeOf(context, operation, item, budget);
    items.push(...made.map((one) => withOrigin(one, { item })));
  }
  return output(items);
}

async function outcomeOf(
  context: NodeContext,
  operation: SingleOperation,
  itemIndex: number,
  budget: ResponseBudget,
): Promise<readonly MadeItem[]> {
  try {
    return await operation(context, itemIndex, budget);
  } catch (thrown) {
    if (!context.continueOnFail || context.signal.aborted) throw thrown;
    return [{ json: { error: messageOf(thrown) } }];
  }
}
