import type { Item, Outputs, PairedItem } from './items';

/**
 * Fills in the origin of items that do not name it. With one input item, every output item comes from it. With the same
 * number of items on the only input and the only output, they are linked one to one. A single output item made of
 * several input items is linked to the first. Otherwise the origin stays unknown.
 */
export function fillItemLinks(outputs: Outputs, inputs: readonly (readonly Item[])[]): Outputs {
  const [only] = inputs;
  if (
    inputs.length !== 1 ||
    only === undefined ||
    outputs.every((items) => items.every((item) => item.pairedItem !== undefined))
  )
    return outputs;
  if (only.length === 1) return outputs.map((items) => items.map((item) => withLink(item, 0)));
  if (outputs.length === 1 && outputs[0]?.length === only.length)
    return [outputs[0].map((item, index) => withLink(item, index))];
  if (outputs.length === 1 && outputs[0]?.length === 1 && only.length > 1)
    return [outputs[0].map((item) => withLink(item, 0))];
  return outputs;
}

/** The links of an item that stands for all input items. */
export function pairedWithAll(inputs: readonly (readonly Item[])[]): PairedItem[] {
  return inputs.flatMap((items, input) => items.map((_, item) => ({ item, input })));
}

function withLink(item: Item, index: number): Item {
  return item.pairedItem === undefined ? { ...item, pairedItem: { item: index } } : item;
}
