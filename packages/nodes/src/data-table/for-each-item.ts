import type { JsonObject } from '@weft/node-catalogue';
import type { Item, NodeContext } from '@weft/engine';
import { failedItem } from '../shared/each-item';

/** Number of items of a node that are processed concurrently if their order does not matter. */
export const AT_ONCE = 8;

/**
 * Results for all items, in order. A failed item becomes `{ error }` if the node continues on failure.
 * @param atOnce number of items that are processed concurrently
 * @throws NodeFailure of a failed item otherwise
 */
export async function forEachItem(
  context: NodeContext,
  atOnce: number,
  make: (index: number) => Promise<readonly Item[]>,
): Promise<Item[]> {
  const made: Item[] = [];
  for (let from = 0; from < context.items.length; from += atOnce) {
    await context.pause();
    const indexes = context.items.slice(from, from + atOnce).map((_, offset) => from + offset);
    const parts = await Promise.all(indexes.map((index) => tryOne(context, index, make)));
    made.push(...parts.flat());
  }
  return made;
}

/** Wraps objects into items linked to one input item. */
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
    return failedItem(context, index, thrown);
  }
}
