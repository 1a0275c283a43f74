import type { JsonObject } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeContext, NodeFailure } from '@weft/engine';

/** The result for one item. */
export interface MadeItem {
  readonly json: JsonObject;
  readonly binary?: Item['binary'];
}

/**
 * Creates any number of items from each input item, paired with it. An item that fails becomes `{ error }` in its place
 * if the node continues after failures.
 * @throws NodeFailure for the first such item otherwise.
 */
export function eachItem(
  context: Pick<NodeContext, 'items' | 'continueOnFail'>,
  make: (item: Item, index: number) => readonly MadeItem[],
): Item[] {
  return context.items.flatMap((item, index) => {
    const pairedItem = { item: index };
    try {
      return make(item, index).map(({ json, binary }) => ({
        json,
        ...(binary === undefined ? {} : { binary }),
        pairedItem,
      }));
    } catch (thrown) {
      if (context.continueOnFail) return [{ json: { error: messageOf(thrown) }, pairedItem }];
      throw thrown instanceof NodeFailure
        ? thrown
        : new NodeFailure(messageOf(thrown), { itemIndex: index, cause: thrown });
    }
  });
}
