import type { Item, Outputs, PairedItem } from './items';

/**
 * Fills in where items come from, for those that do not say. One input item: everything comes from it. As many items on
 * the only output as on the only input: item by item. One item on the only output made of several: it counts as coming
 * from the first. Otherwise it is unknown and stays open.
 */
export function fillPairing(outputs: Outputs, inputs: readonly (readonly Item[])[]): Outputs {
  const [only] = inputs;
  if (
    inputs.length !== 1 ||
    only === undefined ||
    outputs.every((items) => items.every((item) => item.pairedItem !== undefined))
  )
    return outputs;
  if (only.length === 1) return outputs.map((items) => items.map((item) => withPairing(item, 0)));
  if (outputs.length === 1 && outputs[0]?.length === only.length)
    return [outputs[0].map((item, index) => withPairing(item, index))];
  if (outputs.length === 1 && outputs[0]?.length === 1 && only.length > 1)
    return [outputs[0].map((item) => withPairing(item, 0))];
  return outputs;
}

/** The pairing of an item that stands for everything that came in. */
export function pairedWithAll(inputs: readonly (readonly Item[])[]): PairedItem[] {
  return inputs.flatMap((items, input) => items.map((_, item) => ({ item, input })));
}

function withPairing(item: Item, index: number): Item {
  return item.pairedItem === undefined ? { ...item, pairedItem: { item: index } } : item;
}
