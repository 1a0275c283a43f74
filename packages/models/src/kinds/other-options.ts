import {
  booleanField,
  isJsonObject,
  type JsonObject,
  listField,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatSettings } from '../chat-model';
import { present, unlessEmpty } from '../formats/shared/request-parts';
import { limitOf, renamed, wordOf } from './option-values';

/** The smallest number of tokens for thinking, which the kind uses if none is given. */
const LEAST_THINKING_TOKENS = 1_024;

/** Options of the Anthropic kind. With thinking, the service takes only the limit. */
export const anthropicOptions = (options: JsonObject): ChatSettings => {
  const maxTokens = limitOf(options, 'maxTokensToSample');
  if (booleanField(options, 'thinking') === true)
    return { maxTokens, thinkingTokens: limitOf(options, 'thinkingBudget') ?? LEAST_THINKING_TOKENS };
  return {
    maxTokens,
    temperature: numberField(options, 'temperature'),
    topP: limitOf(options, 'topP'),
    topK: limitOf(options, 'topK'),
  };
};

/** Options of the Gemini kind. */
export const geminiOptions = (options: JsonObject): ChatSettings => {
  const safety = listField(objectField(options, 'safetySettings'), 'values')
    .filter(isJsonObject)
    .map((one) => renamed(one, { category: 'category', threshold: 'threshold' }))
    .filter(({ category, threshold }) => category !== undefined && threshold !== undefined);
  return {
    temperature: numberField(options, 'temperature'),
    topP: limitOf(options, 'topP'),
    topK: limitOf(options, 'topK'),
    maxTokens: limitOf(options, 'maxOutputTokens'),
    // -1 lets the model decide
    thinkingTokens: numberField(options, 'thinkingBudget'),
    body: safety.length === 0 ? undefined : { safetySettings: safety },
  };
};

/** Options of a model of Ollama that no other format has, by their names there. */
const OLLAMA_OPTIONS = {
  numCtx: 'num_ctx',
  numBatch: 'num_batch',
  numGpu: 'num_gpu',
  numThread: 'num_thread',
  mainGpu: 'main_gpu',
  lowVram: 'low_vram',
  penalizeNewline: 'penalize_newline',
  repeatPenalty: 'repeat_penalty',
  useMLock: 'use_mlock',
  useMMap: 'use_mmap',
  vocabOnly: 'vocab_only',
} as const;

/** Options of the Ollama kinds. */
export const ollamaOptions = (options: JsonObject): ChatSettings => {
  const body = present({
    options: unlessEmpty(renamed(options, OLLAMA_OPTIONS)),
    keep_alive: wordOf(options, 'keepAlive'),
  });
  return {
    temperature: numberField(options, 'temperature'),
    topP: limitOf(options, 'topP'),
    topK: limitOf(options, 'topK'),
    // -1 means no limit there too
    maxTokens: numberField(options, 'numPredict'),
    frequencyPenalty: numberField(options, 'frequencyPenalty'),
    presencePenalty: numberField(options, 'presencePenalty'),
    json: textField(options, 'format') === 'json' ? true : undefined,
    body: unlessEmpty(body),
  };
};
