import type { JsonObject } from '@weft/service-kit/json-values';
import type { ChatCall, ChatMessage, ChatSettings, UserMessage } from '../../chat-model';
import type { ModelEndpoint } from '../../client/model-endpoint';
import type { WireRequest } from '../codec';
import { mergeBody, partsOf, present, refuseFile, stopOf, unlessEmpty } from '../shared/request-parts';
import { isOwnId } from '../shared/tool-calls';

/** The request of a call. The server streams unless it is told otherwise. */
export function buildOllama(call: ChatCall, { model }: ModelEndpoint): WireRequest {
  const { settings = {}, schema, tools = [] } = call;
  const body = present({
    model,
    messages: call.messages.map(messageOf),
    tools:
      tools.length === 0
        ? undefined
        : tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: present({ name, description: description ?? '', parameters }),
          })),
    format: schema?.schema ?? (settings.json === true ? 'json' : undefined),
    think:
      settings.reasoningEffort ?? (settings.thinkingTokens === undefined ? undefined : settings.thinkingTokens > 0),
    options: unlessEmpty(optionsOf(settings)),
    stream: call.onDelta !== undefined,
  });
  return { path: '/api/chat', body: mergeBody(body, settings.body) };
}

function messageOf(message: ChatMessage): JsonObject {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return userOf(message);
    case 'assistant': {
      const { content, thinking, toolCalls = [] } = message;
      return {
        role: 'assistant',
        content,
        // the templates of models put thinking back only between calls of tools
        ...(thinking === undefined || toolCalls.length === 0 ? {} : { thinking }),
        ...(toolCalls.length === 0
          ? {}
          : {
              tool_calls: toolCalls.map(({ id, name, input }) => ({
                ...(isOwnId(id) ? {} : { id }),
                function: { name, arguments: input },
              })),
            }),
      };
    }
    case 'tool':
      return {
        role: 'tool',
        content: message.content,
        tool_name: message.toolName,
        ...(isOwnId(message.toolCallId) ? {} : { tool_call_id: message.toolCallId }),
      };
  }
}

function userOf(message: UserMessage): JsonObject {
  const parts = partsOf(message);
  const images = parts.flatMap((part) => {
    if (part.type === 'text') return [];
    return part.type === 'file' && part.mimeType.startsWith('image/') ? [part.data] : [refuseFile('ollama', part)];
  });
  const content = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  return { role: 'user', content, ...(images.length === 0 ? {} : { images }) };
}

function optionsOf(settings: ChatSettings): JsonObject {
  return present({
    temperature: settings.temperature,
    top_p: settings.topP,
    top_k: settings.topK,
    num_predict: settings.maxTokens,
    seed: settings.seed,
    stop: stopOf(settings),
    frequency_penalty: settings.frequencyPenalty,
    presence_penalty: settings.presencePenalty,
  });
}
