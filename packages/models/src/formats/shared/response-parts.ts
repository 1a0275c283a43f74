import type { JsonObject } from '@weft/service-kit/json-values';
import type { AssistantMessage, ChatResult, FinishReason, ModelFormat, TokenUsage, ToolCall } from '../../chat-model';
import { excerptOf, ModelError } from '../../model-error';

/** A response in the terms of the port. */
export interface Answer {
  readonly text: string;
  readonly thinking: string;
  readonly toolCalls: readonly ToolCall[];
  readonly native?: AssistantMessage['native'];
  readonly usage: TokenUsage | undefined;
  /** Reason as the service gives it, in the words of the port. */
  readonly finish: FinishReason;
  /** Words of the model for its refusal, or of the service for its filter. */
  readonly refusal?: string | undefined;
  readonly raw: JsonObject;
}

/**
 * The result of a call. Calls of tools are the reason for the end, whatever the service calls it.
 * @throws ModelError CONTENT_FILTERED if the model or the service refused and nothing else is there
 */
export function resultOf({ text, thinking, toolCalls, native, usage, finish, refusal, raw }: Answer): ChatResult {
  const isEmpty = text === '' && toolCalls.length === 0;
  if (isEmpty && ((refusal ?? '') !== '' || finish === 'contentFilter')) throw filtered(refusal);
  const message: AssistantMessage = {
    role: 'assistant',
    content: text,
    ...(thinking === '' ? {} : { thinking }),
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
    ...(native === undefined ? {} : { native }),
  };
  return {
    message,
    toolCalls,
    usage,
    finish: toolCalls.length > 0 && (finish === 'stop' || finish === 'other') ? 'toolCalls' : finish,
    raw,
  };
}

/** Reason for the end from the word of a service; any other word is `other`. */
export const finishOf = (words: Readonly<Record<string, FinishReason>>, word: string): FinishReason =>
  (Object.hasOwn(words, word) ? words[word] : undefined) ?? 'other';

/** The service or the model refused to answer. */
export const filtered = (words = ''): ModelError =>
  new ModelError(
    'CONTENT_FILTERED',
    `The model refused to answer, or a content filter of the service removed the response${
      words === '' ? '' : `: ${excerptOf(words)}`
    }. Change the prompt.`,
  );

/** The response has valid JSON, but not what the format promises. */
export const malformed = (format: ModelFormat, missing: string, body: JsonObject): ModelError =>
  new ModelError(
    'MALFORMED_RESPONSE',
    `The response of the service has ${missing} (${format}). It begins: ${excerptOf(JSON.stringify(body))}`,
  );

/** More tokens than any call uses: sums of counts stay exact. */
const MAX_TOKENS = 1e12;

/** A count of a service; undefined for one that no tokens can have. */
const countOf = (count: number | undefined): number | undefined =>
  count === undefined || !(count >= 0) ? undefined : Math.min(MAX_TOKENS, Math.round(count));

/**
 * Usage from the fields of a format; undefined if the service counted neither direction. The total is at least the sum
 * of both: a service cannot extend the limits of a run by its counts.
 */
export function usageOf(counted: {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total?: number | undefined;
  readonly cached?: number | undefined;
  readonly reasoning?: number | undefined;
}): TokenUsage | undefined {
  const [input, output] = [countOf(counted.input), countOf(counted.output)];
  const [cached, reasoning] = [countOf(counted.cached), countOf(counted.reasoning)];
  if (input === undefined && output === undefined) return undefined;
  const both = (input ?? 0) + (output ?? 0);
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    totalTokens: Math.max(countOf(counted.total) ?? 0, both),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}
