import {
  type Json,
  type JsonObject,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatResult, FinishReason } from '../../chat-model';
import { excerptOf, ModelError } from '../../model-error';
import { malformed, resultOf, usageOf } from '../shared/response-parts';
import { readToolCalls } from '../shared/tool-calls';

/** Reads a complete response. @throws ModelError */
export function parseOpenAiResponses(body: JsonObject): ChatResult {
  const status = textField(body, 'status');
  const output = body['output'];
  if (status === 'failed' || status === 'cancelled') throw failed(body);
  if (!Array.isArray(output)) throw malformed('openai-responses', 'no list "output"', body);
  const items = output.filter(isJsonObject);
  const usage = objectField(body, 'usage');
  return resultOf({
    text: partsOf(items, 'message', 'content', 'output_text', 'text'),
    thinking: partsOf(items, 'reasoning', 'summary', 'summary_text', 'text'),
    toolCalls: readToolCalls(
      items
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id: id, name, arguments: input }) => ({ id, name, input })),
    ),
    native: { format: 'openai-responses', content: repaired(items) },
    usage: usageOf({
      input: numberField(usage, 'input_tokens'),
      output: numberField(usage, 'output_tokens'),
      total: numberField(usage, 'total_tokens'),
      cached: numberField(objectField(usage, 'input_tokens_details'), 'cached_tokens'),
      reasoning: numberField(objectField(usage, 'output_tokens_details'), 'reasoning_tokens'),
    }),
    finish: finishOf(status, textField(objectField(body, 'incomplete_details'), 'reason')),
    refusal: partsOf(items, 'message', 'content', 'refusal', 'refusal'),
    raw: body,
  });
}

/** Text of all parts of a type in all items of a type. */
function partsOf(items: readonly JsonObject[], item: string, list: string, part: string, text: string): string {
  return items
    .filter(({ type }) => type === item)
    .flatMap((one) => listField(one, list))
    .map((one: Json) => (textField(one, 'type') === part ? (textField(one, text) ?? '') : ''))
    .join('');
}

/** The service refuses a conversation with arguments that are not JSON. */
const repaired = (items: readonly JsonObject[]): JsonObject[] =>
  items.map((item) =>
    item['type'] === 'function_call' && !isJsonText(item['arguments']) ? { ...item, arguments: '{}' } : item,
  );

function isJsonText(value: Json | undefined): boolean {
  try {
    return typeof value === 'string' && isJsonObject(JSON.parse(value));
  } catch {
    return false;
  }
}

function finishOf(status: string | undefined, reason: string | undefined): FinishReason {
  if (reason === 'max_output_tokens') return 'length';
  if (reason === 'content_filter') return 'contentFilter';
  return status === 'completed' || status === undefined ? 'stop' : 'other';
}

/** The service reports a failure in a response of status 200. */
function failed(body: JsonObject): ModelError {
  const error = objectField(body, 'error') ?? {};
  const words = textField(error, 'message') ?? 'no reason was given';
  const code = textField(error, 'code') ?? '';
  return new ModelError(
    code === 'rate_limit_exceeded' ? 'RATE_LIMITED' : 'UNAVAILABLE',
    `The service could not complete the response${code === '' ? '' : ` (${excerptOf(code)})`}: ${excerptOf(words)}`,
  );
}
