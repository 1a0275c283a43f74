import { type Item, type NodeContext, type PairedItem, itemLinksOf } from '@weft/engine';

/** The items of one input, each linked to its index there. */
export function pairedInput(context: Pick<NodeContext, 'input'>, input: number): Item[] {
  return context.input(input).map((item, index) => ({ ...item, pairedItem: placeOf(index, input) }));
}

/** The inputs 0 to `count - 1`, linked. */
export function pairedInputs(context: Pick<NodeContext, 'input'>, count: number): Item[][] {
  return Array.from({ length: count }, (_, input) => pairedInput(context, input));
}

/** Links to the origins of several items. */
export function pairedWith(items: readonly Item[]): PairedItem[] {
  return items.flatMap((item) => [...itemLinksOf(item)]);
}

/** Files of several items; the last of several with the same name wins. */
export function binariesOf(items: readonly Item[]): Pick<Item, 'binary'> {
  const all = Object.assign({}, ...items.map((item) => item.binary ?? {}));
  return Object.keys(all).length === 0 ? {} : { binary: all };
}

function placeOf(item: number, input: number): PairedItem {
  return input === 0 ? { item } : { item, input };
}
