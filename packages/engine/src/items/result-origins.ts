import type { Item } from './items';
import { itemLinksOf } from './items';
import { originOf, type Place } from './paired-item';
import type { NodeRunRecord, RunData } from '../records/run-record';

/** Limit of the steps back for all items of a result together. */
export const MAX_ORIGIN_STEPS = 100_000;

/** Item of the result of a sub-workflow. */
export interface ResultItem extends Item {
  /** Number of the item that the sub-workflow was called with, from which it comes; absent if nothing says. */
  readonly origin?: number;
}

/** Steps that are left for the items of one result. */
interface Budget {
  steps: number;
}

/**
 * The items of the first output of runs that make the result of a sub-workflow, each with its origin. Of an item made
 * of several, the first counts. Where the way back is lost on its way, the item counts as coming from the one of its
 * own position, if there was one. Without origins if the ways back are too long.
 */
export function resultWithOrigins(records: RunData, runs: readonly NodeRunRecord[]): readonly ResultItem[] {
  const budget: Budget = { steps: MAX_ORIGIN_STEPS };
  const items: ResultItem[] = [];
  for (const run of runs) {
    for (const [index, item] of (run.data?.main?.[0] ?? []).entries()) {
      const origin = originOfItem(records, run, item, index, budget);
      items.push(origin === undefined ? item : { ...item, origin });
    }
  }
  return budget.steps < 0 ? runs.flatMap(({ data }) => data?.main?.[0] ?? []) : items;
}

/** The node run that the run began with, and the way to it as far as it is known. */
function originOfItem(
  records: RunData,
  last: NodeRunRecord,
  item: Item,
  position: number,
  budget: Budget,
): number | undefined {
  if (last.source.length === 0) return position;
  if (item.pairedItem === undefined) return undefined;
  let made = { record: last, item };
  for (budget.steps -= 1; budget.steps >= 0; budget.steps -= 1) {
    const place = firstOrigin(made.record, made.item);
    const record = place === undefined ? undefined : records.get(place.node)?.[place.run];
    const origin = place === undefined ? undefined : record?.data?.main?.[place.output]?.[place.item];
    if (place === undefined || record === undefined || origin === undefined) return atStart(records, position);
    if (record.source.length === 0) return place.item;
    made = { record, item: origin };
  }
  return undefined;
}

function firstOrigin({ source }: NodeRunRecord, item: Item): Place | undefined {
  const [pair] = itemLinksOf(item);
  return pair === undefined ? undefined : originOf(source, pair);
}

/** The position, if the node that the run began with gave an item of this number. */
function atStart(records: RunData, position: number): number | undefined {
  for (const [first] of records.values())
    if (first?.source.length === 0) return position < (first.data?.main?.[0]?.length ?? 0) ? position : undefined;
  return undefined;
}
