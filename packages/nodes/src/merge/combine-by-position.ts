import type { Item } from '@weft/engine';
import type { ClashHandling } from './clash';
import { mergeJson, withSuffix } from './clash';
import { binariesOf, pairedWith } from './paired-inputs';

/**
 * Merges the first items of all inputs, the second ones and so on. Stops at the end of the shortest input, or of the
 * longest if unpaired items are included. The last input wins unless another is preferred.
 * @param repeatsLast with suffixes, adds the fields of the last input without a suffix as well
 */
export function combineByPosition(
  inputs: readonly (readonly Item[])[],
  includeUnpaired: boolean,
  clash: ClashHandling,
  repeatsLast: boolean,
): Item[] {
  const lengths = inputs.map((items) => items.length);
  const count = includeUnpaired ? Math.max(...lengths) : Math.min(...lengths);
  const preferred = clash.preferredInput;
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const places = inputs.flatMap((items, input) => {
      const item = items[index];
      return item === undefined ? [] : [{ input, item: clash.addSuffix ? withSuffix(item, input) : item }];
    });
    const inOrder = [...places]
      .sort((a, b) => Number(a.input === preferred) - Number(b.input === preferred))
      .map(({ item }) => item);
    const plain = clash.addSuffix && repeatsLast ? inputs.at(-1)?.[index] : undefined;
    return {
      json: mergeJson(
        [...inOrder, ...(plain === undefined ? [] : [plain])].map((item) => item.json),
        clash,
      ),
      pairedItem: pairedWith(places.map(({ item }) => item)),
      ...binariesOf(inOrder),
    };
  });
}
