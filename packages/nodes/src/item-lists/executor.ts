import { type Item, type NodeContext, type NodeExecutor, output } from '@weft/engine';
import { aggregateItems } from '../aggregate/executor';
import { limitItems } from '../limit/executor';
import { removeDuplicateItems } from '../remove-duplicates/remove-duplicate-items';
import { sortItems } from '../sort/executor';
import { splitOutItems } from '../split-out/executor';
import { summarizeItems } from '../summarize/executor';
import { choiceParameter } from '../shared/read-parameter';

const OPERATIONS = [
  'splitOutItems',
  'aggregateItems',
  'concatenateItems',
  'removeDuplicates',
  'sort',
  'limit',
  'summarize',
] as const;

/** Item operations in one node; superseded by one kind for each. */
export const itemLists: NodeExecutor = {
  kind: 'itemLists',
  actsOutside: false,
  run: async (context) => output(await listItems(context)),
};

function listItems(context: NodeContext): Item[] | Promise<Item[]> {
  switch (choiceParameter(context, 'operation', 0, OPERATIONS)) {
    case 'splitOutItems':
      return splitOutItems(context, {
        needsFields: context.version < 2.1,
        splits: context.version < 2 ? 'lists' : context.version < 2.2 ? 'lists and objects' : 'anything',
        knowsFiles: context.version >= 3,
      });
    case 'aggregateItems':
    case 'concatenateItems':
      return [aggregateItems(context, context.version < 2.1)];
    case 'removeDuplicates':
      return removeDuplicateItems(context, context.version > 3 ? 'allowed' : 'refused');
    case 'sort':
      return sortItems(context);
    case 'limit':
      return limitItems(context);
    case 'summarize':
      return summarizeItems(context, {
        keepsTypes: false,
        needsFields: context.version < 2.1,
        form: 'itemLists',
        numbersOnly: context.version < 3,
      });
  }
}
