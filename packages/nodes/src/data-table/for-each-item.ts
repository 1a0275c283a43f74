import type { JsonObject } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeContext, NodeFailure } from '@weft/engine';

/** Items of a node that are worked on at once where their order does not matter. */
export const AT_ONCE = 8;

/**
 * Results for all items, in order. An item that fails becomes `{ error }` in its place if the node goes on after
 * failures.
 * @param atOnce how many are worked on at the same time
 * @throws NodeFailure of an item that fails otherwise
 */
export async function forEachItem(
  context: NodeContext,
  atOnce: number,
  make: (index: number) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const made: Item[] = [];
  for (let from = 0; from < context.items.length; from += atOnce) {
    const indexes = context.items.slice(from, from + atOnce).map((_, offset) => from + offset);
    const parts = await Promise.all(indexes.map((index) => tryOne(context, index, make)));
    made.push(...parts.flat());
  }
  return made;
}

/** Objects as items of one item. */
export function madeOf(index: number, objects: readonly JsonObject[]): Item[] {
  return objects.map((json) => ({ json, pairedItem: { item: index } }));
}

async function tryOne(
  context: NodeContext,
  index: number,
  make: (index: number) => Promise<readonly Item[]>,
): Promise<readonly Item[]> {
  try {
    return await make(index);
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    if (context.continueOnFail) return madeOf(index, [{ error: messageOf(thrown) }]);
    throw thrown instanceof NodeFailure
      ? thrown
      : new NodeFailure(messageOf(thrown), { itemIndex: index, cause: thrown });
  }
}
