import type { NodeContext } from '@weft/engine';
import { toText } from '@weft/expressions';

/** The query of an item. Without a `=` it is a template: its expressions are bound as values. */
export function queryText(context: NodeContext, itemIndex: number): string {
  const raw = context.rawParameter('query');
  const isExpression = typeof raw === 'string' && raw.startsWith('=');
  return toText(isExpression ? context.parameter('query', itemIndex) : context.templateParameter('query', itemIndex));
}
