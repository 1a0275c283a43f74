import { type NodeContext, NodeFailure } from '@weft/engine';
import type { ChatMessage, ContentPart } from '@weft/models';
import { lookup } from 'mime-types';
import { loadFile } from '../../../shared/files/item-files';
import { objectsParameter } from '../../../shared/read-parameter';
import { fileContent } from '../../shared/file-content';

/** Bytes of an image, and number of messages. */
const [MAX_IMAGE, MAX_MESSAGES] = [20_971_520, 200];

/**
 * Reads the messages of a node and adds the prompt as the last one. An image before it is sent in the same message.
 * @param instructions text after the prompt; empty if there is none
 * @throws NodeFailure if there is no prompt and no message of the user
 */
export async function messagesOf(
  context: NodeContext,
  itemIndex: number,
  prompt: string,
  instructions: string,
): Promise<ChatMessage[]> {
  const given = objectsParameter(context, 'messages.messageValues', itemIndex);
  if (given.length > MAX_MESSAGES)
    throw fault(itemIndex, 'Messages', `has ${given.length} entries; at most ${MAX_MESSAGES} are allowed`);
  const messages: ChatMessage[] = [];
  for (const one of given) messages.push(await messageOf(context, itemIndex, one));
  if (prompt.trim() === '' && !messages.some(({ role }) => role === 'user'))
    throw new NodeFailure('No prompt specified', {
      itemIndex,
      description: 'The prompt is empty, or its expression gives nothing.',
    });
  return withText(messages, [prompt, instructions].filter((text) => text.trim() !== '').join('\n'));
}

function withText(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  if (text === '') return [...messages];
  const last = messages.at(-1);
  if (last?.role !== 'user' || typeof last.content === 'string') return [...messages, { role: 'user', content: text }];
  return [...messages.slice(0, -1), { role: 'user', content: [...last.content, { type: 'text', text }] }];
}

async function messageOf(
  context: NodeContext,
  itemIndex: number,
  message: Record<string, unknown>,
): Promise<ChatMessage> {
  const { type = 'SystemMessagePromptTemplate', messageType = 'text' } = message;
  const content = typeof message['message'] === 'string' ? message['message'] : String(message['message'] ?? '');
  if (type === 'SystemMessagePromptTemplate') return { role: 'system', content };
  if (type === 'AIMessagePromptTemplate') return { role: 'assistant', content };
  if (type !== 'HumanMessagePromptTemplate')
    throw fault(itemIndex, 'Role', 'must be the type of a system, assistant or user message');
  if (messageType === 'text') return { role: 'user', content };
  if (messageType === 'imageUrl') return { role: 'user', content: [imageAt(message['imageUrl'], itemIndex)] };
  if (messageType === 'imageBinary') {
    const field = String(message['binaryImageDataKey'] ?? 'data');
    return { role: 'user', content: [await imageIn(context, itemIndex, field)] };
  }
  throw fault(itemIndex, 'Content', 'must be text, imageBinary or imageUrl');
}

function imageAt(address: unknown, itemIndex: number): ContentPart {
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw fault(itemIndex, 'Image address', 'must be an http or https address');
  const known = lookup(url.pathname);
  const mimeType = known !== false && known.startsWith('image/') ? known : 'image/jpeg';
  return { type: 'fileUrl', mimeType, url: url.href };
}

async function imageIn(context: NodeContext, itemIndex: number, field: string): Promise<ContentPart> {
  const { reference, bytes } = await loadFile(context, itemIndex, field);
  const { mimeType } = reference;
  if (!mimeType.startsWith('image/'))
    throw fault(itemIndex, 'File field', `names a file of type ${mimeType}; only images can be sent`);
  if (bytes.length > MAX_IMAGE)
    throw fault(itemIndex, 'File field', `names an image of ${bytes.length} bytes; at most ${MAX_IMAGE} can be sent`);
  return fileContent(reference, bytes);
}

function fault(itemIndex: number, field: string, text: string): NodeFailure {
  return new NodeFailure(`The field "${field}" ${text}`, { itemIndex });
}
