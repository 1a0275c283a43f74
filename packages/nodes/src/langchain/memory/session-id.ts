import { type NodeContext, NodeFailure } from '@weft/engine';
import { field } from '@weft/node-catalogue';

/** Versions before it have no choice of the source. */
const CHOICE_SINCE = 1.2;
const MAX_CHARACTERS = 1_000;

/**
 * The name of the conversation that a memory node is about, for one item.
 * @throws NodeFailure if it has none, or the name is too long
 */
export function sessionIdOf(context: NodeContext, itemIndex: number): string {
  const isFromInput = context.version >= CHOICE_SINCE && context.parameter('sessionIdType', itemIndex) === 'fromInput';
  const found = isFromInput ? fromInput(context, itemIndex) : context.parameter('sessionKey', itemIndex);
  const name = typeof found === 'string' || typeof found === 'number' ? String(found) : '';
  if (name === '')
    throw new NodeFailure(`The memory "${context.node.name}" has no session ID for this item`, {
      itemIndex,
      description: isFromInput
        ? 'The item needs a field "sessionId", as a chat trigger gives it. Or define the key in the node.'
        : 'Set the key in the node: its value is empty for this item.',
    });
  if (name.length > MAX_CHARACTERS)
    throw new NodeFailure(`The session ID has ${name.length} characters; at most ${MAX_CHARACTERS} are possible`, {
      itemIndex,
    });
  return name;
}

/** The field of the item or, where nodes have dropped it, of the chat trigger's. */
function fromInput(context: NodeContext, itemIndex: number): unknown {
  const json = context.items[itemIndex]?.json;
  // The request of a chat that asks for its messages has it in its body.
  const own = json?.['sessionId'] ?? field(json?.['body'], 'sessionId');
  if (own !== undefined && own !== null && own !== '') return own;
  return context.upstreamFirstItems().find(({ json }) => json['sessionId'] !== undefined)?.json['sessionId'];
}
