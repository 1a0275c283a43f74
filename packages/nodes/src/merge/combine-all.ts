import { type Item, NodeFailure } from '@weft/engine';
import type { ClashHandling } from './clash';
import { mergeJson, withSuffix } from './clash';
import { binariesOf, pairedWith } from './paired-inputs';

/** Maximum number of items from combining all with all. */
const MAX_COMBINATIONS = 1_000_000;

/**
 * Merges every item of one input with every item of the other. The preferred input, by default the second, wins and
 * varies fastest. @throws NodeFailure for too many combinations
 */
export function combineAll(first: readonly Item[], second: readonly Item[], clash: ClashHandling): Item[] {
  if (first.length * second.length > MAX_COMBINATIONS) {
    throw new NodeFailure(
      `Combining ${first.length} items with ${second.length} would give more than ${MAX_COMBINATIONS} items`,
    );
  }
  const inputs = [first, second].map((items, input) =>
    clash.addSuffix ? items.map((item) => withSuffix(item, input)) : items,
  );
  const [outer = [], inner = []] = clash.preferredInput === 0 ? inputs.toReversed() : inputs;
  return outer.flatMap((one) =>
    inner.map((other) => ({
      json: mergeJson([one.json, other.json], clash),
      pairedItem: pairedWith([one, other]),
      ...binariesOf([one, other]),
    })),
  );
}
