import {
  type Json,
  type JsonObject,
  field,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatResult, FinishReason, TokenUsage } from '../../chat-model';
import type { ModelEndpoint } from '../../client/model-endpoint';
import { unlessEmpty } from '../shared/request-parts';
import { finishOf, malformed, resultOf, usageOf } from '../shared/response-parts';
import { functionCallsIn, readToolCalls, type SentCall } from '../shared/tool-calls';
import { VENDORS } from './vendors';

const FINISH: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  model_length: 'length',
  tool_calls: 'toolCalls',
  function_call: 'toolCalls',
  content_filter: 'contentFilter',
};

/** Reads a complete response. @throws ModelError */
export function parseOpenAiChat(body: JsonObject, endpoint: ModelEndpoint): ChatResult {
  const choice = listField(body, 'choices')[0];
  const message = objectField(choice, 'message');
  if (message === undefined) throw malformed('openai-chat', 'no choice with a message', body);
  const content = contentOf(message['content']);
  const finish = textField(choice, 'finish_reason') ?? '';
  const sentBack = sentBackOf(message, VENDORS[endpoint.vendor ?? 'openai'].sendsBack);
  return resultOf({
    text: content.text,
    thinking: content.thinking || textField(message, 'reasoning_content') || (textField(message, 'reasoning') ?? ''),
    toolCalls: readToolCalls(sentCalls(message)),
    ...(sentBack === undefined ? {} : { native: { format: 'openai-chat' as const, content: sentBack } }),
    usage: usageOfBody(body),
    finish: finishOf(FINISH, finish),
    refusal: textField(message, 'refusal'),
    raw: body,
  });
}

/** Fields to be sent back, and additions of calls by their ids: Gemini's signatures, behind this format. */
function sentBackOf(message: JsonObject, names: readonly string[]): JsonObject | undefined {
  const found: JsonObject = {};
  const extras = listField(message, 'tool_calls').flatMap((call): [string, Json][] => {
    const extra = field(call, 'extra_content');
    return extra === undefined ? [] : [[textField(call, 'id') ?? '', extra]];
  });
  if (extras.length > 0) found['extra_content'] = Object.fromEntries(extras);
  for (const name of names) {
    const value = message[name];
    if (value !== undefined && value !== null) found[name] = value;
  }
  return unlessEmpty(found);
}

/** Text, or a list of parts, as Mistral's thinking models send it. */
function contentOf(content: Json | undefined): { readonly text: string; readonly thinking: string } {
  if (typeof content === 'string') return { text: content, thinking: '' };
  if (!Array.isArray(content)) return { text: '', thinking: '' };
  return { text: content.map(textOf).join(''), thinking: content.map(thinkingOf).join('') };
}

/** Text of a part of a message; empty for other parts. */
export const textOf = (part: Json): string =>
  textField(part, 'type') === 'text' ? (textField(part, 'text') ?? '') : '';

/** Thinking in a part of a message: the text of its pieces, whatever their type. */
export const thinkingOf = (part: Json): string =>
  listField(part, 'thinking')
    .map((piece) => textField(piece, 'text') ?? '')
    .join('');

function sentCalls(message: JsonObject): SentCall[] {
  const calls = functionCallsIn(message);
  // the form before `tool_calls`, which some servers still send
  const old = objectField(message, 'function_call');
  return calls.length > 0 || old === undefined
    ? calls
    : [{ id: undefined, name: old['name'], input: old['arguments'] }];
}

function usageOfBody(body: JsonObject): TokenUsage | undefined {
  const own = body['usage'];
  // Groq has the usage of streams in a separate field.
  const usage = isJsonObject(own) ? own : objectField(objectField(body, 'x_groq'), 'usage');
  return usageOf({
    input: numberField(usage, 'prompt_tokens'),
    output: numberField(usage, 'completion_tokens'),
    total: numberField(usage, 'total_tokens'),
    cached:
      numberField(objectField(usage, 'prompt_tokens_details'), 'cached_tokens') ??
      numberField(usage, 'prompt_cache_hit_tokens'),
    reasoning: numberField(objectField(usage, 'completion_tokens_details'), 'reasoning_tokens'),
  });
}
