import { type NodeContext, type NodeExecutor, output, type Item } from '@weft/engine';
import { choiceParameter, numberParameter } from '../shared/read-parameter';

/** Keeps the first or the last items. */
export const limit: NodeExecutor = {
  kind: 'limit',
  actsOutside: false,
  run: (context: NodeContext) => output(limitItems(context)),
};

/** The first or last `maxItems` items, each linked to itself. */
export function limitItems(context: NodeContext): Item[] {
  const count = Math.max(0, Math.floor(numberParameter(context, 'maxItems', 0)));
  const keepsFirst = choiceParameter(context, 'keep', 0, ['firstItems', 'lastItems']) === 'firstItems';
  const paired = context.items.map((item, index): Item => ({ ...item, pairedItem: { item: index } }));
  return keepsFirst ? paired.slice(0, count) : paired.slice(Math.max(0, paired.length - count));
}
