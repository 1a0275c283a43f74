import { type NodeContext, NodeFailure, type SupplyContext } from '@weft/engine';
import { field } from '@weft/node-catalogue';
import { numberParameter } from '../../shared/read-parameter';

/** Versions before it have no choice of the source, where a kind has versions without it. */
const CHOICE_SINCE = 1.2;
const MAX_CHARACTERS = 1_000;

/**
 * The name of the conversation that a memory node is about, for one item.
 * @param choiceSince first version of the kind with a choice of the source
 * @throws NodeFailure if it has none, or the name is too long
 */
export function sessionIdOf(context: NodeContext, itemIndex: number, choiceSince = CHOICE_SINCE): string {
  const isFromInput = context.version >= choiceSince && context.parameter('sessionIdType', itemIndex) === 'fromInput';
  const found = isFromInput ? fromInput(context, itemIndex) : context.parameter('sessionKey', itemIndex);
  const name = ['string', 'number', 'boolean'].includes(typeof found) ? String(found) : '';
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

/** Versions of a kind that change how its sessions are named. */
export interface SessionVersions {
  /** First version with a choice of the source. */
  readonly choiceSince: number;
  /** First version whose sessions from a chat trigger belong to one node. */
  readonly scopedSince: number;
}

/**
 * The name of the conversation in a store that n8n uses as well.
 * @throws NodeFailure if it has none, or the name is too long
 */
export function sharedSessionId(context: SupplyContext, { choiceSince, scopedSince }: SessionVersions): string {
  const { version, itemIndex, node } = context;
  const session = sessionIdOf(context, itemIndex, choiceSince);
  const isScoped = version >= scopedSince && context.parameter('sessionIdType', itemIndex) === 'fromInput';
  return isScoped ? `${session}__${node.name.replaceAll(/[^\w-]/g, '_')}` : session;
}

/** Number of turns that a model gets; undefined for all, as in versions before `since`. */
export function windowOf(context: SupplyContext, since = 1): number | undefined {
  return context.version < since ? undefined : numberParameter(context, 'contextWindowLength', context.itemIndex);
}
