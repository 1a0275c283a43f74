import { isJsonObject, type Json, type JsonObject, textField } from '@weft/service-kit/json-values';
import type { AssistantMessage, ChatCall, ChatMessage, ContentPart } from '../../chat-model';
import type { ModelEndpoint } from '../../client/model-endpoint';
import type { WireRequest } from '../codec';
import { dataUrl, mergeBody, nativeOf, partsOf, present, refuseFile } from '../shared/request-parts';
import { argumentsOf } from '../shared/tool-calls';

/** Models that think before they answer, by name. Only they take `include: ['reasoning.encrypted_content']`. */
const thinksByName = (model: string): boolean => /^(?:o\d|gpt-[5-9])/.test(model) && !model.includes('-chat');

/** The request of a call. The service does not store the response: a conversation is sent in full each time. */
export function buildOpenAiResponses(call: ChatCall, { model }: ModelEndpoint): WireRequest {
  const { settings = {}, schema } = call;
  const { reasoningEffort: effort } = settings;
  const thinks = effort === undefined ? thinksByName(model) : effort !== 'none';
  const body = present({
    model,
    input: call.messages.flatMap(itemsOf),
    ...toolFields(call),
    temperature: settings.temperature,
    top_p: settings.topP,
    max_output_tokens: settings.maxTokens,
    reasoning: effort === undefined ? undefined : { effort },
    text:
      schema !== undefined
        ? { format: { type: 'json_schema', name: schema.name, schema: schema.schema, strict: schema.strict ?? false } }
        : settings.json === true
          ? { format: { type: 'json_object' } }
          : undefined,
    store: false,
    include: thinks ? ['reasoning.encrypted_content'] : undefined,
    stream: call.onDelta === undefined ? undefined : true,
  });
  return { path: '/responses', body: mergeBody(body, settings.body) };
}

function itemsOf(message: ChatMessage): JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [{ role: 'user', content: partsOf(message).map(partOf) }];
    case 'assistant':
      return assistantItems(message);
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.toolCallId, output: message.content }];
  }
}

function assistantItems(message: AssistantMessage): JsonObject[] {
  const native = nativeOf(message, 'openai-responses');
  if (Array.isArray(native)) return native.filter(isJsonObject).filter(canBeSentBack);
  const { content, toolCalls = [] } = message;
  const text: JsonObject[] =
    content === '' ? [] : [{ role: 'assistant', content: [{ type: 'output_text', text: content }] }];
  const calls = toolCalls.map((call) => ({
    type: 'function_call',
    call_id: call.id,
    name: call.name,
    arguments: argumentsOf(call),
  }));
  return [...text, ...calls];
}

/** Thinking that is neither stored by the service nor in the response cannot be referred to. */
const canBeSentBack = (item: JsonObject): boolean =>
  item['type'] !== 'reasoning' || textField(item, 'encrypted_content') !== undefined;

function partOf(part: ContentPart, index: number): JsonObject {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  if (part.type === 'fileId')
    return part.mimeType.startsWith('image/')
      ? { type: 'input_image', file_id: part.id, detail: 'auto' }
      : { type: 'input_file', file_id: part.id };
  const url = part.type === 'fileUrl' ? part.url : dataUrl(part);
  if (part.mimeType.startsWith('image/')) return { type: 'input_image', image_url: url, detail: 'auto' };
  if (part.mimeType.startsWith('audio/') || part.mimeType.startsWith('video/'))
    return refuseFile('openai-responses', part);
  return part.type === 'fileUrl'
    ? { type: 'input_file', file_url: url }
    : { type: 'input_file', filename: part.name ?? `file-${index}`, file_data: url };
}

function toolFields({ tools = [], settings = {} }: ChatCall): Record<string, Json | undefined> {
  const { toolChoice, parallelToolCalls } = settings;
  if (tools.length === 0) return {};
  // without `strict: false`, the service changes schemas so that every field is required
  return {
    tools: tools.map(({ name, description, parameters }) =>
      present({ type: 'function', name, description, parameters, strict: false }),
    ),
    tool_choice: typeof toolChoice === 'object' ? { type: 'function', name: toolChoice.name } : toolChoice,
    parallel_tool_calls: parallelToolCalls,
  };
}
