import { ExpressionError } from '@weft/expressions';
import type { InputSources } from '../records/engine-state';
import type { Item, PairedItem } from './items';
import { itemLinksOf } from './items';
import type { NodeRunRecord } from '../records/run-record';
import type { RunStore } from '../records/run-store';

/** Limit of steps of a search for a paired item, so that long chains of loops stay bounded. */
export const MAX_LINK_STEPS = 10_000;

/** An item of a node run: item number `item` of what `source` gave. */
export interface Place {
  readonly node: string;
  readonly output: number;
  readonly run: number;
  readonly item: number;
}

/**
 * The item of node `name` that an input item of the current node goes back to. Follows the links of each item to the
 * run that made it and on to that run's own inputs. Several ways back are fine as long as they end at the same item.
 * @throws ExpressionError of type `paired_item` if the way is lost or leads to different items, `no_origin` if it does
 * not lead there.
 */
export function findPairedItem(
  store: RunStore,
  sources: InputSources,
  input: number,
  itemIndex: number,
  name: string,
): Item {
  const first = placeOf(sources, input, itemIndex);
  if (first === undefined) throw notConnected(name);
  return walkSingly(store, first, name) ?? walkAll(store, first, name);
}

/** The common case: every item comes from one other. Undefined where that does not hold or the way is lost. */
function walkSingly(store: RunStore, first: Place, name: string): Item | undefined {
  let place: Place | undefined = first;
  for (let steps = 0; place !== undefined && steps < MAX_LINK_STEPS; steps += 1) {
    const record: NodeRunRecord | undefined = store.run(place.node, place.run);
    const item: Item | undefined = record?.data?.main?.[place.output]?.[place.item];
    if (record === undefined || item?.pairedItem === undefined) return place.node === name ? item : undefined;
    if (place.node === name) return item;
    if (Array.isArray(item.pairedItem)) return undefined;
    const pair: PairedItem = typeof item.pairedItem === 'number' ? { item: item.pairedItem } : item.pairedItem;
    place = originOf(record.source, pair);
  }
  return undefined;
}

function walkAll(store: RunStore, first: Place, name: string): Item {
  const found = new Map<string, Item>();
  const seen = new Set<string>();
  const open = [first];
  let lostAt: string | undefined;
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const key = `${place.node}\u0000${place.run}\u0000${place.output}\u0000${place.item}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (seen.size > MAX_LINK_STEPS)
      throw new ExpressionError(`The way back to an item of "${name}" is too long`, {
        type: 'paired_item',
        node: name,
      });
    const record = store.run(place.node, place.run);
    const item = record?.data?.main?.[place.output]?.[place.item];
    if (item === undefined) {
      lostAt ??= place.node;
    } else if (place.node === name) {
      found.set(key, item);
      if (found.size > 1) throw severalItems(name);
    } else {
      const origins = itemLinksOf(item)
        .map((pair) => originOf(record?.source ?? [], pair))
        .filter((one) => one !== undefined);
      if (itemLinksOf(item).length === 0) lostAt ??= place.node;
      open.push(...origins);
    }
  }
  const [item] = found.values();
  if (item !== undefined) return item;
  throw lostAt === undefined ? notConnected(name) : noLink(lostAt, name);
}

/** Origin of a link among the sources of the run that made the item; undefined if it names none. */
export function originOf(sources: InputSources, { item, input = 0, sourceOverwrite }: PairedItem): Place | undefined {
  return sourceOverwrite === undefined ? placeOf(sources, input, item) : placeOf([sourceOverwrite], 0, item);
}

function placeOf(sources: InputSources, input: number, item: number): Place | undefined {
  const source = sources[input];
  if (source === null || source === undefined) return undefined;
  return { node: source.previousNode, output: source.previousNodeOutput ?? 0, run: source.previousNodeRun ?? 0, item };
}

function severalItems(name: string): ExpressionError {
  return new ExpressionError('Multiple matches found', {
    type: 'paired_item',
    node: name,
    description:
      `The current item goes back to several items of "${name}". Use .first(), .last() or .all()[index] to say ` +
      'which one is meant.',
  });
}

function noLink(lostAt: string, name: string): ExpressionError {
  return new ExpressionError(
    `Paired item data for item from node '${lostAt}' is unavailable. Ensure '${lostAt}' is providing the ` +
      'required output.',
    {
      type: 'paired_item',
      node: name,
      description:
        `"${lostAt}" does not say which of its input items its items come from, so .item cannot lead ` +
        `back to "${name}". ` +
        'Use .first(), .last() or .all()[index] instead.',
    },
  );
}

function notConnected(name: string): ExpressionError {
  return new ExpressionError(`No path back to node "${name}"`, {
    type: 'no_origin',
    node: name,
    description: `The current item does not come from "${name}". Use .first(), .last() or .all()[index] instead.`,
  });
}
