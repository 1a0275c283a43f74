import { type NodeContext, NodeFailure } from '@weft/engine';
import type { ChatMessage } from '@weft/models';
import { objectsParameter } from '../../shared/read-parameter';

/** Messages that a node may have. */
export const MAX_MESSAGES = 200;

/** Roles of messages by the words of a node. */
export type Roles = Readonly<Record<string, 'user' | 'assistant'>>;

/**
 * The messages of the parameter `messages` that have a text.
 * @param isRequired true: one of them must have a text
 * @throws NodeFailure
 */
export function readPrompts(context: NodeContext, roles: Roles, itemIndex: number, isRequired = true): ChatMessage[] {
  const given = objectsParameter(context, 'messages.values', itemIndex);
  if (given.length > MAX_MESSAGES)
    throw new NodeFailure(`The node has ${given.length} messages; at most ${MAX_MESSAGES} are allowed`, { itemIndex });
  const messages = given.flatMap(({ content, role = 'user' }): ChatMessage[] => {
    const words = typeof content === 'string' ? content : JSON.stringify(content ?? '');
    if (words.trim() === '' || words === '""') return [];
    const name = String(role);
    const known = Object.hasOwn(roles, name) ? roles[name] : undefined;
    if (known === undefined)
      throw new NodeFailure(`The role of a message must be ${Object.keys(roles).join(' or ')}`, { itemIndex });
    return [{ role: known, content: words }];
  });
  if (messages.length > 0 || !isRequired) return messages;
  throw new NodeFailure('The prompt is empty for this item', {
    itemIndex,
    description: 'Set the text of a message. If it is an expression, it gives nothing for this item.',
  });
}
