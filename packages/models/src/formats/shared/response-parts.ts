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

/** Usage from the fields of a format; undefined if the service counted neither direction. */
export function usageOf(counted: {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly total?: number | undefined;
  readonly cached?: number | undefined;
  readonly reasoning?: number | undefined;
}): TokenUsage | undefined {
  const { input, output, total, cached, reasoning } = counted;
  if (input === undefined && output === undefined) return undefined;
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    totalTokens: total ?? (input ?? 0) + (output ?? 0),
    ...(cached === undefined ? {} : { cachedInputTokens: cached }),
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
  };
}
