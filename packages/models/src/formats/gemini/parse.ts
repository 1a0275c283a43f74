import {
  type JsonObject,
  isJsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatResult, FinishReason } from '../../chat-model';
import { excerptOf, ModelError } from '../../model-error';
import { filtered, finishOf, malformed, resultOf, usageOf } from '../shared/response-parts';
import { readToolCalls } from '../shared/tool-calls';

const FINISH: Readonly<Record<string, FinishReason>> = {
  STOP: 'stop',
  MAX_TOKENS: 'length',
  SAFETY: 'contentFilter',
  RECITATION: 'contentFilter',
  BLOCKLIST: 'contentFilter',
  PROHIBITED_CONTENT: 'contentFilter',
  SPII: 'contentFilter',
  IMAGE_SAFETY: 'contentFilter',
};

/** Reads a complete response. @throws ModelError */
export function parseGemini(body: JsonObject): ChatResult {
  const candidate = listField(body, 'candidates')[0];
  const blocked = textField(objectField(body, 'promptFeedback'), 'blockReason');
  if (candidate === undefined && blocked !== undefined) throw filtered(`the prompt was blocked (${blocked})`);
  if (candidate === undefined) throw malformed('gemini', 'no candidates', body);
  const reason = textField(candidate, 'finishReason') ?? '';
  const parts = listField(objectField(candidate, 'content'), 'parts').filter(isJsonObject);
  if (parts.length === 0 && reason.endsWith('_CALL')) throw brokenCall(reason, textField(candidate, 'finishMessage'));
  const usage = objectField(body, 'usageMetadata');
  const thinkingTokens = numberField(usage, 'thoughtsTokenCount');
  const outputTokens = numberField(usage, 'candidatesTokenCount');
  const isCounted = outputTokens !== undefined || thinkingTokens !== undefined;
  const finish = finishOf(FINISH, reason);
  return resultOf({
    text: textOf(parts.filter(({ thought }) => thought !== true)),
    thinking: textOf(parts.filter(({ thought }) => thought === true)),
    toolCalls: readToolCalls(
      parts.flatMap((part) => {
        const call = objectField(part, 'functionCall');
        return call === undefined ? [] : [{ id: call['id'], name: call['name'], input: call['args'] }];
      }),
    ),
    native: { format: 'gemini', content: parts },
    usage: usageOf({
      input: numberField(usage, 'promptTokenCount'),
      output: isCounted ? (outputTokens ?? 0) + (thinkingTokens ?? 0) : undefined,
      total: numberField(usage, 'totalTokenCount'),
      cached: numberField(usage, 'cachedContentTokenCount'),
      reasoning: thinkingTokens,
    }),
    finish,
    refusal: finish === 'contentFilter' ? reason : undefined,
    raw: body,
  });
}

const textOf = (parts: readonly JsonObject[]): string => parts.map((part) => textField(part, 'text') ?? '').join('');

const brokenCall = (reason: string, words = ''): ModelError =>
  new ModelError(
    'MALFORMED_RESPONSE',
    `The model made a tool call that the service could not read (${reason}). ${excerptOf(words)}`.trim(),
  );
