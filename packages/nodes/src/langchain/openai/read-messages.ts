import { type NodeContext, NodeFailure } from '@weft/engine';
import type { ChatMessage } from '@weft/models';
import { objectsParameter } from '../../shared/read-parameter';
import { addressPart, filePart } from '../vendor/file-parts';
import { MAX_MESSAGES } from '../vendor/read-prompts';

/**
 * Reads the messages of a node for an item.
 * @param path of the list
 * @throws NodeFailure if none of them has a text
 */
export async function readPrompts(context: NodeContext, path: string, itemIndex: number): Promise<ChatMessage[]> {
  const given = objectsParameter(context, path, itemIndex);
  if (given.length > MAX_MESSAGES)
    throw new NodeFailure(`The node has ${given.length} messages; at most ${MAX_MESSAGES} are allowed`, { itemIndex });
  const isText = ({ type = 'text', content }: Record<string, unknown>): boolean =>
    type === 'text' && typeof content === 'string' && content.trim() !== '';
  if (!given.some(isText))
    throw new NodeFailure('The prompt is empty for this item', {
      itemIndex,
      description: 'Set the text of a message. If it is an expression, it gives nothing for this item.',
    });
  const messages: ChatMessage[] = [];
  for (const one of given) messages.push(await messageOf(context, one, itemIndex));
  return messages;
}

async function messageOf(
  context: NodeContext,
  message: Record<string, unknown>,
  itemIndex: number,
): Promise<ChatMessage> {
  const { type = 'text', role = 'user' } = message;
  if (type === 'text') {
    const content = wordsOf(message['content']);
    if (role === 'system' || role === 'assistant' || role === 'user') return { role, content };
    throw new NodeFailure('The role of a message must be user, assistant or system', { itemIndex });
  }
  if (type !== 'image' && type !== 'file')
    throw new NodeFailure('The type of a message must be text, image or file', { itemIndex });
  const form = message[type === 'image' ? 'imageType' : 'fileType'] ?? 'url';
  if (form === 'base64') {
    const name = wordsOf(message['fileName']);
    const property = wordsOf(message['binaryPropertyName'] ?? 'data');
    return { role: 'user', content: [await filePart(context, property, itemIndex, name)] };
  }
  if (form === 'url') {
    const url = message[type === 'image' ? 'imageUrl' : 'fileUrl'];
    const mimeType = type === 'image' ? 'image/*' : 'application/octet-stream';
    return { role: 'user', content: [addressPart(wordsOf(url), mimeType, itemIndex)] };
  }
  const id = wordsOf(message['fileId']).trim();
  if (form !== 'fileId' || id === '')
    throw new NodeFailure('A file of a message must be given by its address, by its ID, or as a file of the item', {
      itemIndex,
    });
  const mimeType = type === 'image' ? 'image/*' : 'application/octet-stream';
  return { role: 'user', content: [{ type: 'fileId', mimeType, id }] };
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}
