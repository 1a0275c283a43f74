import type { JsonObject } from '@weft/node-catalogue';
import { type Item, messageOf, type NodeContext, NodeFailure } from '@weft/engine';

/** The result for one item. */
export interface MadeItem {
  readonly json: JsonObject;
  readonly binary?: Item['binary'];
}

/** An item with optional parts. */
export function madeItem(json: JsonObject, binary: Item['binary']): MadeItem {
  return binary === undefined ? { json } : { json, binary };
}

/** The results for all items, in order. Yields to other runs between items. */
export const mapItems = async <Result>(
  context: Pick<NodeContext, 'items' | 'pause'>,
  make: (item: Item, index: number) => Result | Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = [];
  for (const [index, item] of context.items.entries()) {
    const pause = context.pause();
    if (pause !== undefined) await pause;
    const result = make(item, index);
    results.push(result instanceof Promise ? await result : result);
  }
  return results;
};

/** An output item with its origins. */
export const withOrigin = ({ json, binary }: MadeItem, pairedItem: NonNullable<Item['pairedItem']>): Item => ({
  json,
  ...(binary === undefined ? {} : { binary }),
  pairedItem,
});

/** Output items linked to one input item. */
export const pairedWith = (index: number, made: readonly MadeItem[]): Item[] =>
  made.map((one) => withOrigin(one, { item: index }));

/** Converts a thrown value to a failure of the node. */
export const failureOf = (thrown: unknown, itemIndex?: number): NodeFailure =>
  thrown instanceof NodeFailure
    ? thrown
    : new NodeFailure(messageOf(thrown), { ...(itemIndex === undefined ? {} : { itemIndex }), cause: thrown });

/**
 * The output for an item that failed: `{ error }` if the node continues on failure.
 * @throws NodeFailure otherwise, or the thrown value if the run is being stopped
 */
export const failedItem = (
  context: Pick<NodeContext, 'continueOnFail' | 'signal'>,
  index: number,
  thrown: unknown,
): Item[] => {
  if (context.signal.aborted) throw thrown;
  if (context.continueOnFail) return pairedWith(index, [{ json: { error: messageOf(thrown) } }]);
  throw failureOf(thrown, index);
};

/** As `failedItem`, without the index of the item: some of n8n's nodes do so. */
export const failedWithoutOrigin = (...failed: Parameters<typeof failedItem>): Item[] =>
  failedItem(...failed).map(withoutOrigin);

/** Leaves the origin out where the engine can derive it. */
export const withoutOrigin = ({ pairedItem: _origin, ...item }: Item): Item => item;

/**
 * Creates any number of items from each input item, in sequence, each linked to it. An item that fails becomes
 * `{ error }` if the node continues on failure.
 * @throws NodeFailure for the first failed item otherwise
 */
export const eachItem = async (
  context: Pick<NodeContext, 'items' | 'pause' | 'continueOnFail' | 'signal'>,
  make: (item: Item, index: number) => readonly MadeItem[] | Promise<readonly MadeItem[]>,
  failed: typeof failedItem = failedItem,
): Promise<Item[]> => {
  const settled = async (making: Promise<readonly MadeItem[]>, index: number): Promise<Item[]> => {
    try {
      return pairedWith(index, await making);
    } catch (thrown) {
      return failed(context, index, thrown);
    }
  };
  const items = await mapItems(context, (item, index) => {
    try {
      const made = make(item, index);
      return made instanceof Promise ? settled(made, index) : pairedWith(index, made);
    } catch (thrown) {
      return failed(context, index, thrown);
    }
  });
  return items.flat();
};

/**
 * Creates one item from all input items and links it to each of them. A failure becomes `{ error }` if the node
 * continues on failure.
 * @throws NodeFailure otherwise
 */
export const oneOfAll = async (
  context: Pick<NodeContext, 'items' | 'continueOnFail' | 'signal'>,
  make: () => Promise<MadeItem>,
): Promise<Item[]> => {
  const pairedItem = context.items.map((_, item) => ({ item }));
  try {
    return [withOrigin(await make(), pairedItem)];
  } catch (thrown) {
    if (context.signal.aborted) throw thrown;
    if (!context.continueOnFail) throw failureOf(thrown);
    return [{ json: { error: messageOf(thrown) }, pairedItem }];
  }
};
