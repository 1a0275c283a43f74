import type { Item, NodeContext } from '@weft/engine';
import { failedItem } from '../each-item';
import type { ItemQuery } from './run-batches';

/** The queries of all items, and error items for those without a query. */
export interface PreparedQueries {
  readonly queries: readonly ItemQuery[];
  readonly failed: readonly Item[];
}

/** Creates the query of each item. @throws NodeFailure for the first item without one, unless the node continues */
export async function prepareQueries(
  context: NodeContext,
  make: (itemIndex: number) => ItemQuery | Promise<ItemQuery>,
): Promise<PreparedQueries> {
  const queries: ItemQuery[] = [];
  const failed: Item[] = [];
  for (const index of context.items.keys()) {
    const pause = context.pause();
    if (pause !== undefined) await pause;
    try {
      queries.push(await make(index));
    } catch (thrown) {
      failed.push(...failedItem(context, index, thrown));
    }
  }
  return { queries, failed };
}

/** Sorts items by the input item that they come from. */
export function inItemOrder(items: readonly Item[]): Item[] {
  return [...items].sort((one, other) => originOf(one) - originOf(other));
}

function originOf({ pairedItem }: Item): number {
  if (typeof pairedItem === 'number') return pairedItem;
  return pairedItem === undefined || Array.isArray(pairedItem) ? 0 : pairedItem.item;
}
