import { isJsonObject, type Json, type JsonObject, textField } from '@weft/service-kit/json-values';
import type { AssistantMessage, ChatCall, ChatMessage, ChatSettings, ContentPart, ToolMessage } from '../../chat-model';
import type { ModelEndpoint } from '../../client/model-endpoint';
import { DEFAULTS } from '../../limits';
import type { WireRequest } from '../codec';
import { versionIn } from '../shared/model-version';
import {
  mergeBody,
  nativeOf,
  partsOf,
  present,
  refuseFile,
  stopOf,
  systemTextOf,
  unlessEmpty,
} from '../shared/request-parts';

const CACHED = { cache_control: { type: 'ephemeral' } } as const;

/**
 * From version 4.7 on, models decide themselves how much they think, and refuse a budget, temperature, top-p and top-k.
 */
const decidesItself = (model: string): boolean => versionIn(model) >= 4.7;

/** The request of a call. Settings that the service refuses for the model, or together with thinking, are left out. */
export function buildAnthropic(call: ChatCall, { model }: ModelEndpoint): WireRequest {
  const { settings = {}, schema, tools = [] } = call;
  const { thinkingTokens = 0, reasoningEffort } = settings;
  const caches = settings.cachesPrompt ?? tools.length > 0;
  const thinks = thinkingTokens > 0;
  const isNew = decidesItself(model);
  const system = systemTextOf(call.messages);
  const output = present({
    format: schema === undefined ? undefined : { type: 'json_schema', schema: schema.schema },
    effort: reasoningEffort,
  });
  const body = present({
    model,
    max_tokens: settings.maxTokens ?? DEFAULTS.anthropicMaxTokens,
    // the service refuses empty text
    system:
      system === undefined || system === '' ? undefined : [{ type: 'text', text: system, ...(caches ? CACHED : {}) }],
    messages: messagesOf(call.messages),
    ...toolFields(call, caches),
    temperature: thinks || isNew ? undefined : settings.temperature,
    top_p: isNew ? undefined : settings.topP,
    top_k: thinks || isNew ? undefined : settings.topK,
    stop_sequences: stopOf(settings),
    thinking: thinks ? (isNew ? { type: 'adaptive' } : { type: 'enabled', budget_tokens: thinkingTokens }) : undefined,
    output_config: unlessEmpty(output),
    stream: call.onDelta === undefined ? undefined : true,
  });
  return {
    path: '/v1/messages',
    headers: [['anthropic-version', '2023-06-01']],
    body: mergeBody(body, settings.body),
  };
}

/** Results of tools and what the user says after them are one message: the service wants roles to alternate. */
function messagesOf(messages: readonly ChatMessage[]): JsonObject[] {
  const merged: { readonly role: 'user' | 'assistant'; readonly content: Json[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(message);
    const last = merged.at(-1);
    if (last?.role === role) last.content.push(...content);
    else if (content.length > 0) merged.push({ role, content: [...content] });
  }
  return merged.map(({ role, content }) => ({ role, content }));
}

function blocksOf(message: Exclude<ChatMessage, { role: 'system' }>): readonly Json[] {
  switch (message.role) {
    case 'user':
      return partsOf(message).flatMap((part) => (part.type === 'text' && part.text === '' ? [] : [blockOf(part)]));
    case 'assistant':
      return assistantBlocks(message);
    case 'tool':
      return [resultBlock(message)];
  }
}

function assistantBlocks(message: AssistantMessage): readonly Json[] {
  const native = nativeOf(message, 'anthropic');
  if (Array.isArray(native)) return native.filter((block) => !isEmptyText(block));
  const { content, toolCalls = [] } = message;
  return [
    ...(content === '' ? [] : [{ type: 'text', text: content }]),
    ...toolCalls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
}

const isEmptyText = (block: Json): boolean =>
  isJsonObject(block) && block['type'] === 'text' && textField(block, 'text') === '';

function resultBlock({ toolCallId, content, isError = false }: ToolMessage): JsonObject {
  return {
    type: 'tool_result',
    tool_use_id: toolCallId,
    ...(content === '' ? {} : { content }),
    ...(isError ? { is_error: true } : {}),
  };
}

function blockOf(part: ContentPart): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'fileId' && part.forCode === true) return { type: 'container_upload', file_id: part.id };
  const source = sourceOf(part);
  if (part.mimeType.startsWith('image/')) return { type: 'image', source };
  if (part.type === 'fileId' || part.mimeType === 'application/pdf') return { type: 'document', source };
  if (part.type === 'fileUrl' || !part.mimeType.startsWith('text/')) return refuseFile('anthropic', part);
  const data = Buffer.from(part.data, 'base64').toString('utf8');
  return { type: 'document', source: { type: 'text', media_type: 'text/plain', data } };
}

function sourceOf(part: Exclude<ContentPart, { type: 'text' }>): JsonObject {
  switch (part.type) {
    case 'fileId':
      return { type: 'file', file_id: part.id };
    case 'fileUrl':
      return { type: 'url', url: part.url };
    case 'file':
      return { type: 'base64', media_type: part.mimeType, data: part.data };
  }
}

function toolFields({ tools = [], settings = {} }: ChatCall, caches: boolean): Record<string, Json | undefined> {
  if (tools.length === 0) return {};
  return {
    // a mark on the last tool covers all of them
    tools: tools.map(({ name, description, parameters }, index) =>
      present({
        name,
        description,
        input_schema: { type: 'object', ...parameters },
        ...(caches && index === tools.length - 1 ? CACHED : {}),
      }),
    ),
    tool_choice: choiceOf(settings),
  };
}

function choiceOf({ toolChoice, parallelToolCalls }: ChatSettings): JsonObject | undefined {
  if (toolChoice === undefined && parallelToolCalls === undefined) return undefined;
  const choice: JsonObject =
    typeof toolChoice === 'object'
      ? { type: 'tool', name: toolChoice.name }
      : { type: toolChoice === 'required' ? 'any' : (toolChoice ?? 'auto') };
  return parallelToolCalls === false && choice['type'] !== 'none'
    ? { ...choice, disable_parallel_tool_use: true }
    : choice;
}
