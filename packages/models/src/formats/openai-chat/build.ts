import { field, isJsonObject, type Json, type JsonObject } from '@weft/service-kit/json-values';
import type { AssistantMessage, ChatCall, ChatMessage, ChatSettings, ContentPart } from '../../chat-model';
import type { ModelEndpoint } from '../../client/model-endpoint';
import { ModelError } from '../../model-error';
import type { WireRequest } from '../codec';
import {
  dataUrl,
  mergeBody,
  nativeOf,
  partsOf,
  present,
  refuseFile,
  schemaInstruction,
  stopOf,
} from '../shared/request-parts';
import { argumentsOf } from '../shared/tool-calls';
import { VENDORS, type VendorRules } from './vendors';

/** The request of a call, for any service that speaks `openai-chat`. */
export function buildOpenAiChat(call: ChatCall, endpoint: ModelEndpoint): WireRequest {
  const rules = VENDORS[endpoint.vendor ?? 'openai'];
  const { settings = {}, schema } = call;
  const inWords = schema !== undefined && !rules.hasSchemas;
  const messages: readonly ChatMessage[] = inWords
    ? [{ role: 'system', content: schemaInstruction(schema.schema) }, ...call.messages]
    : call.messages;
  const isStreamed = call.onDelta !== undefined;
  const body = present({
    model: endpoint.model,
    messages: messages.map((message) => messageOf(message, rules)),
    ...toolFields(call),
    ...settingFields(settings, rules),
    response_format: answerFormat(call, inWords),
    stream: isStreamed ? true : undefined,
    stream_options: isStreamed && rules.hasStreamOptions ? { include_usage: true } : undefined,
  });
  return { path: pathOf(endpoint), body: mergeBody(body, settings.body) };
}

function pathOf({ vendor, model, apiVersion }: ModelEndpoint): string {
  if (vendor !== 'azure') return '/chat/completions';
  if (apiVersion === undefined || apiVersion === '')
    throw new ModelError('UNSUPPORTED', 'The credential for Azure OpenAI has no API version. Set it.');
  const deployment = encodeURIComponent(model);
  return `/openai/deployments/${deployment}/chat/completions?api-version=${encodeURIComponent(apiVersion)}`;
}

function messageOf(message: ChatMessage, rules: VendorRules): JsonObject {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return {
        role: 'user',
        content:
          typeof message.content === 'string'
            ? message.content
            : partsOf(message).map((part, index) => partOf(part, index, rules)),
      };
    case 'assistant':
      return assistantOf(message, rules);
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
}

function assistantOf(message: AssistantMessage, rules: VendorRules): JsonObject {
  const { content, toolCalls = [] } = message;
  const native = nativeOf(message, 'openai-chat');
  const sentBack: JsonObject = {};
  if (isJsonObject(native))
    for (const name of rules.sendsBack) {
      const value = Object.hasOwn(native, name) ? native[name] : undefined;
      if (value !== undefined) sentBack[name] = value;
    }
  return {
    role: 'assistant',
    content: content === '' && toolCalls.length > 0 ? null : content,
    ...(toolCalls.length === 0
      ? {}
      : {
          tool_calls: toolCalls.map((call) =>
            present({
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: argumentsOf(call) },
              extra_content: field(field(native, 'extra_content'), call.id),
            }),
          ),
        }),
    ...sentBack,
  };
}

const SOUND: Readonly<Record<string, string>> = {
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
};

function partOf(part: ContentPart, index: number, { files }: VendorRules): JsonObject {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'fileId') {
    if (files === 'file' && !part.mimeType.startsWith('image/')) return { type: 'file', file: { file_id: part.id } };
    return refuseFile('openai-chat', part);
  }
  const url = part.type === 'fileUrl' ? part.url : dataUrl(part);
  if (part.mimeType.startsWith('image/')) return { type: 'image_url', image_url: { url } };
  if (files === 'document_url') return { type: 'document_url', document_url: url };
  if (part.type === 'fileUrl') return refuseFile('openai-chat', part);
  const sound = Object.hasOwn(SOUND, part.mimeType) ? SOUND[part.mimeType] : undefined;
  if (sound !== undefined) return { type: 'input_audio', input_audio: { data: part.data, format: sound } };
  if (files === 'none') return refuseFile('openai-chat', part);
  return { type: 'file', file: { filename: part.name ?? `file-${index}`, file_data: url } };
}

function toolFields({ tools = [], settings = {} }: ChatCall): Record<string, Json | undefined> {
  const { toolChoice, parallelToolCalls } = settings;
  if (tools.length === 0) return {};
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      type: 'function',
      function: present({ name, description, parameters }),
    })),
    tool_choice:
      typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: parallelToolCalls,
  };
}

function settingFields(settings: ChatSettings, rules: VendorRules): Record<string, Json | undefined> {
  const { reasoningEffort: effort } = settings;
  return {
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: rules.hasTopK ? settings.topK : undefined,
    frequency_penalty: settings.frequencyPenalty,
    presence_penalty: settings.presencePenalty,
    stop: stopOf(settings),
    [rules.maxTokens]: settings.maxTokens,
    [rules.seed]: settings.seed,
    ...(effort === undefined
      ? {}
      : rules.reasoning === 'object'
        ? { reasoning: { effort } }
        : { reasoning_effort: effort }),
  };
}

function answerFormat({ schema, settings = {} }: ChatCall, inWords: boolean): JsonObject | undefined {
  if (schema === undefined || inWords) return settings.json === true || inWords ? { type: 'json_object' } : undefined;
  const { name, schema: form, strict = false } = schema;
  return { type: 'json_schema', json_schema: { name, schema: form, strict } };
}
