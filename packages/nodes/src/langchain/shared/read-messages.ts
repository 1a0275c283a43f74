import type { MemoryMessage } from '@weft/engine';
import type { ChatMessage, ContentPart, ModelFormat, NativeContent, ToolCall } from '@weft/models';
import {
  field,
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  objectField,
  textField,
} from '@weft/node-catalogue';

const FORMATS: readonly ModelFormat[] = ['openai-chat', 'openai-responses', 'gemini', 'anthropic', 'ollama'];

/** Reads messages that were stored as JSON; leaves out what is not a message. */
export function readMessages(value: Json | undefined): ChatMessage[] {
  return Array.isArray(value) ? value.flatMap(messageOf) : [];
}

/** The same for messages of a memory. */
export function readMemoryMessages(value: Json | undefined): MemoryMessage[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) =>
    messageOf(one).map((message) => (field(one, 'isHidden') === true ? { ...message, isHidden: true } : message)),
  );
}

function messageOf(value: Json): ChatMessage[] {
  if (!isJsonObject(value)) return [];
  const content = value['content'];
  const role = textField(value, 'role') ?? '';
  switch (role) {
    case 'system':
      return typeof content === 'string' ? [{ role, content }] : [];
    case 'user':
      return typeof content === 'string'
        ? [{ role, content }]
        : [{ role, content: listField(value, 'content').flatMap(partOf) }];
    case 'assistant':
      return [assistantOf(value)];
    case 'tool':
      return [
        {
          role,
          toolCallId: textField(value, 'toolCallId') ?? '',
          toolName: textField(value, 'toolName') ?? '',
          content: typeof content === 'string' ? content : '',
          ...(value['isError'] === true ? { isError: true } : {}),
        },
      ];
    default:
      return [];
  }
}

function assistantOf(value: JsonObject): ChatMessage {
  const thinking = textField(value, 'thinking');
  const toolCalls = listField(value, 'toolCalls').flatMap(callOf);
  const native = nativeOf(value);
  return {
    role: 'assistant',
    content: textField(value, 'content') ?? '',
    ...(thinking === undefined ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(native === undefined ? {} : { native }),
  };
}

function callOf(value: Json): ToolCall[] {
  const [id, name] = [textField(value, 'id'), textField(value, 'name')];
  if (id === undefined || name === undefined) return [];
  const fault = objectField(value, 'fault');
  return [
    {
      id,
      name,
      input: objectField(value, 'input') ?? {},
      ...(fault === undefined
        ? {}
        : { fault: { message: textField(fault, 'message') ?? '', text: textField(fault, 'text') ?? '' } }),
    },
  ];
}

function nativeOf(value: JsonObject): NativeContent | undefined {
  const format = FORMATS.find((one) => one === textField(value['native'], 'format'));
  const content = field(value['native'], 'content');
  return format === undefined || content === undefined ? undefined : { format, content };
}

function partOf(value: Json): ContentPart[] {
  const [text, mimeType] = [textField(value, 'text'), textField(value, 'mimeType')];
  const [data, url, name] = [textField(value, 'data'), textField(value, 'url'), textField(value, 'name')];
  const type = textField(value, 'type') ?? '';
  switch (type) {
    case 'text':
      return text === undefined ? [] : [{ type: 'text', text }];
    case 'file':
      return mimeType === undefined || data === undefined
        ? []
        : [{ type: 'file', mimeType, data, ...(name === undefined ? {} : { name }) }];
    case 'fileUrl':
      return mimeType === undefined || url === undefined ? [] : [{ type: 'fileUrl', mimeType, url }];
    case 'fileId': {
      const id = textField(value, 'id');
      if (mimeType === undefined || id === undefined) return [];
      return [{ type: 'fileId', mimeType, id, ...(field(value, 'forCode') === true ? { forCode: true } : {}) }];
    }
    default:
      return [];
  }
}
