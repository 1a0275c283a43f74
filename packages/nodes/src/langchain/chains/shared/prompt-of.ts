import type { NodeContext } from '@weft/engine';
import { field } from '@weft/node-catalogue';
import { choiceParameter, textParameter } from '../../../shared/read-parameter';

/** The text for the model by the parameters `promptType` and `text`: a field of the item, or the parameter. */
export function promptOf(context: NodeContext, itemIndex: number): string {
  const type = choiceParameter(context, 'promptType', itemIndex, ['auto', 'define', 'guardrails']);
  if (type === 'define') return textParameter(context, 'text', itemIndex);
  const value = field(context.items[itemIndex]?.json, type === 'auto' ? 'chatInput' : 'guardrailsInput');
  return typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '');
}
