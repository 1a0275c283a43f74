import { type JsonObject, numberField, objectField } from '@weft/node-catalogue';
import type { ChatCall, ChatMessage, ChatResult, ChatSettings, ContentPart } from '@weft/models';
import { isStoredShort, storedText } from './stored-text';
import { usageOrEstimate } from './token-estimate';

/** Characters of a prompt in a record, and of a response. */
const MAX_PROMPT = 64 * 1024;
const MAX_RESPONSE = 256 * 1024;
/** Characters of the fields of `options` that users write as JSON. */
const MAX_OPTIONS = 16 * 1024;

/** Input of the record of a call, in the form that n8n has. A long prompt has its length. */
export function recordedInput(model: string, call: ChatCall, estimatedTokens: number): JsonObject {
  const prompt = call.messages.map(lineOf).join('\n');
  return {
    messages: [storedText(prompt, MAX_PROMPT)],
    estimatedTokens,
    options: optionsOf(model, call),
    ...(isStoredShort(prompt, MAX_PROMPT) ? {} : { promptLength: prompt.length }),
  };
}

/** Output of the record of a call, in the form that n8n has, and the calls of tools. */
export function recordedOutput(result: ChatResult, promptTokens: number): JsonObject {
  const { message, toolCalls, usage, finish } = result;
  const generation: JsonObject = {
    text: storedText(message.content, MAX_RESPONSE),
    generationInfo: { finish_reason: FINISH[finish] },
    ...(toolCalls.length === 0
      ? {}
      : { toolCalls: toolCalls.map(({ id, name, input }) => ({ id, name, input: storedInput(input) })) }),
  };
  const { inputTokens, outputTokens, totalTokens } = usageOrEstimate(result, promptTokens);
  const tokens = { completionTokens: outputTokens, promptTokens: inputTokens, totalTokens };
  return {
    response: { generations: [[generation]] },
    ...(usage === undefined ? { tokenUsageEstimate: tokens } : { tokenUsage: tokens }),
  };
}

/** Reasons in the words of OpenAI. */
const FINISH = {
  stop: 'stop',
  length: 'length',
  toolCalls: 'tool_calls',
  contentFilter: 'content_filter',
  other: 'other',
} as const;

/** Arguments of one call have at most 256 KB, and a response at most 128 calls: long ones are shown in part. */
const storedInput = (input: JsonObject): JsonObject => {
  const text = JSON.stringify(input);
  return isStoredShort(text, MAX_OPTIONS) ? input : { text: storedText(text, MAX_OPTIONS) };
};

const ROLES = { system: 'System', user: 'Human', assistant: 'AI', tool: 'Tool' } as const;

/** A message as text, with its role. */
function lineOf(message: ChatMessage): string {
  const { role, content } = message;
  const text = typeof content === 'string' ? content : content.map(partOf).join('\n');
  const calls = role === 'assistant' ? (message.toolCalls ?? []) : [];
  const called = calls.map(({ name, input }) => `[calls ${name} with ${JSON.stringify(input)}]`);
  return `${ROLES[role]}: ${[...(text === '' ? [] : [text]), ...called].join('\n')}`;
}

function partOf(part: ContentPart): string {
  if (part.type === 'text') return part.text;
  if (part.type === 'fileUrl') return `[file ${part.mimeType} at ${part.url}]`;
  if (part.type === 'fileId') return `[file ${part.mimeType} with the ID ${part.id}]`;
  return `[file ${part.mimeType}${part.name === undefined ? '' : ` "${part.name}"`}, ${part.data.length} characters]`;
}

/** Settings by the names that n8n records. */
const NAMES: Readonly<Partial<Record<keyof ChatSettings, string>>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  maxTokens: 'max_tokens',
  stop: 'stop',
  frequencyPenalty: 'frequency_penalty',
  presencePenalty: 'presence_penalty',
  seed: 'seed',
  reasoningEffort: 'reasoning_effort',
  thinkingTokens: 'thinking_budget',
  timeoutMs: 'timeout',
  maxRetries: 'max_retries',
};

function optionsOf(model: string, { settings = {}, tools = [], schema }: ChatCall): JsonObject {
  const options: JsonObject = { model };
  for (const [name, recorded] of Object.entries(NAMES)) {
    const value = numberField(settings, name) ?? Reflect.get(settings, name);
    if (typeof value === 'number' || typeof value === 'string') options[recorded] = value;
    if (Array.isArray(value)) options[recorded] = value.map(String);
  }
  if (settings.json === true) options['response_format'] = { type: 'json_object' };
  if (schema !== undefined) options['response_format'] = { type: 'json_schema', name: schema.name };
  if (tools.length > 0) options['tools'] = tools.map(({ name }) => name);
  const body = objectField(settings, 'body');
  if (body !== undefined && isStoredShort(JSON.stringify(body), MAX_OPTIONS)) options['model_kwargs'] = body;
  return options;
}
