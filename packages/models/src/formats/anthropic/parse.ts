import {
  type Json,
  type JsonObject,
  isJsonObject,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatResult, FinishReason, TokenUsage } from '../../chat-model';
import { finishOf, malformed, resultOf, usageOf } from '../shared/response-parts';
import { readToolCalls } from '../shared/tool-calls';

const FINISH: Readonly<Record<string, FinishReason>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'toolCalls',
  refusal: 'contentFilter',
};

/** Reads a complete response. @throws ModelError */
export function parseAnthropic(body: JsonObject): ChatResult {
  const { content } = body;
  if (!Array.isArray(content)) throw malformed('anthropic', 'no list "content"', body);
  const blocks = content.filter(isJsonObject);
  const reason = textField(body, 'stop_reason') ?? '';
  return resultOf({
    text: textOf(blocks, 'text', 'text'),
    thinking: textOf(blocks, 'thinking', 'thinking'),
    toolCalls: readToolCalls(
      blocks.filter(({ type }) => type === 'tool_use').map(({ id, name, input }) => ({ id, name, input })),
    ),
    native: { format: 'anthropic', content: blocks.map(repaired) },
    usage: usageOfBody(objectField(body, 'usage')),
    finish: finishOf(FINISH, reason),
    refusal: reason === 'refusal' ? 'refusal' : undefined,
    raw: body,
  });
}

const textOf = (blocks: readonly JsonObject[], type: string, field: string): string =>
  blocks.map((block) => (block['type'] === type ? (textField(block, field) ?? '') : '')).join('');

/** The service takes only an object as input of a tool. */
const repaired = (block: JsonObject): Json =>
  block['type'] === 'tool_use' && !isJsonObject(block['input']) ? { ...block, input: {} } : block;

/** Tokens read from and written to the cache are counted apart by the service. */
function usageOfBody(usage: JsonObject | undefined): TokenUsage | undefined {
  const read = numberField(usage, 'cache_read_input_tokens');
  const written = numberField(usage, 'cache_creation_input_tokens');
  const input = numberField(usage, 'input_tokens');
  return usageOf({
    input: input === undefined ? undefined : input + (read ?? 0) + (written ?? 0),
    output: numberField(usage, 'output_tokens'),
    cached: read,
  });
}
