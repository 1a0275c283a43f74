import type { MemoryMessage } from '@weft/engine';
import type { ContentPart, ToolCall } from '@weft/models';
import { isJsonObject, type Json, type JsonObject, listField, objectField, textField } from '@weft/node-catalogue';

/** A message as n8n's memories store it. */
export interface StoredMessage {
  readonly type: 'human' | 'ai' | 'system' | 'tool';
  readonly data: JsonObject;
}

const IMAGE_DATA = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s;

/** @param id stored with the message; none if absent */
export function toStoredMessage(message: MemoryMessage, id?: string): StoredMessage {
  const { type, ...data } = partsOf(message);
  return {
    type,
    data: {
      ...(id === undefined ? {} : { id }),
      ...data,
      additional_kwargs: message.isHidden === true ? { hideFromUI: true } : {},
      response_metadata: {},
    },
  };
}

function partsOf(message: MemoryMessage): JsonObject & Pick<StoredMessage, 'type'> {
  switch (message.role) {
    case 'user':
      return {
        type: 'human',
        content: typeof message.content === 'string' ? message.content : message.content.flatMap(blockOf),
      };
    case 'system':
      return { type: 'system', content: message.content };
    case 'tool':
      return {
        type: 'tool',
        content: message.content,
        tool_call_id: message.toolCallId,
        name: message.toolName,
        ...(message.isError === true ? { status: 'error' } : {}),
      };
    case 'assistant':
      return {
        type: 'ai',
        content: message.content,
        tool_calls: (message.toolCalls ?? []).map(({ id, name, input }) => ({
          id,
          name,
          args: input,
          type: 'tool_call',
        })),
        invalid_tool_calls: [],
      };
  }
}

/** Images and text; n8n stores no other files in conversations. */
function blockOf(part: ContentPart): JsonObject[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type === 'fileId' || !part.mimeType.startsWith('image/')) return [];
  const url = part.type === 'fileUrl' ? part.url : `data:${part.mimeType};base64,${part.data}`;
  return [{ type: 'image_url', image_url: { url } }];
}

/**
 * Reads a message that n8n or a node of Weft stored: `{ type, data }`, `{ type, ...data }` (PostgreSQL) or
 * `{ type, text }` (older versions). Empty if it is not a message.
 */
export function fromStoredMessage(stored: Json | undefined): MemoryMessage[] {
  if (!isJsonObject(stored)) return [];
  const data = objectField(stored, 'data') ?? stored;
  const isHidden = objectField(data, 'additional_kwargs')?.['hideFromUI'] === true;
  const message = messageOf(textField(stored, 'type'), data);
  if (message === undefined) return [];
  return [isHidden ? { ...message, isHidden: true } : message];
}

function messageOf(type: string | undefined, data: JsonObject): MemoryMessage | undefined {
  const { content = data['text'] ?? '' } = data;
  switch (type ?? '') {
    case 'human':
      return { role: 'user', content: Array.isArray(content) ? content.flatMap(partOf) : wordsOf(content) };
    case 'system':
      return { role: 'system', content: wordsOf(content) };
    case 'ai': {
      const toolCalls = callsOf(data);
      return {
        role: 'assistant',
        content: wordsOf(content),
        ...(toolCalls.length === 0 ? {} : { toolCalls }),
      };
    }
    case 'tool':
      return {
        role: 'tool',
        toolCallId: textField(data, 'tool_call_id') ?? '',
        toolName: textField(data, 'name') ?? '',
        content: wordsOf(content),
        ...(data['status'] === 'error' ? { isError: true } : {}),
      };
    default:
      return undefined;
  }
}

function wordsOf(content: Json): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content)
    ? content.map((block) => (typeof block === 'string' ? block : (textField(block, 'text') ?? ''))).join('')
    : '';
}

function partOf(block: Json): ContentPart[] {
  if (typeof block === 'string') return [{ type: 'text', text: block }];
  const text = textField(block, 'text');
  if (text !== undefined) return [{ type: 'text', text }];
  const image = isJsonObject(block) ? block['image_url'] : undefined;
  const url = typeof image === 'string' ? image : textField(image, 'url');
  if (url === undefined) return [];
  const [, mimeType, data] = IMAGE_DATA.exec(url) ?? [];
  return mimeType === undefined || data === undefined
    ? [{ type: 'fileUrl', mimeType: 'image/*', url }]
    : [{ type: 'file', mimeType, data }];
}

function callsOf(data: JsonObject): ToolCall[] {
  const calls = listField(data, 'tool_calls').flatMap((call): ToolCall[] => {
    const [id, name] = [textField(call, 'id'), textField(call, 'name')];
    const input = isJsonObject(call) ? objectField(call, 'args') : undefined;
    return id === undefined || name === undefined ? [] : [{ id, name, input: input ?? {} }];
  });
  return calls;
}

const CLASSES = { human: 'HumanMessage', ai: 'AIMessage', system: 'SystemMessage', tool: 'ToolMessage' } as const;

/** A message in the form in which n8n outputs messages that are not simplified, and its chat widget reads them. */
export function constructorJson(message: MemoryMessage): JsonObject {
  const { type, data } = toStoredMessage(message);
  return { lc: 1, type: 'constructor', id: ['langchain_core', 'messages', CLASSES[type]], kwargs: data };
}
