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
import type { ModelNode } from './model-node';
import { limitOf, renamed, wordOf } from './option-values';

/** The smallest number of tokens for thinking, which the kind uses if none is given. */
const LEAST_THINKING_TOKENS = 1_024;

/** How a node of Anthropic wants its model to think; undefined if it does not say. */
const thinkingOf = (options: JsonObject, { typeVersion }: ModelNode): string | undefined => {
  if (typeVersion >= 1.5) return wordOf(options, 'thinkingMode');
  const isOn = booleanField(options, 'thinking');
  return isOn === undefined ? undefined : isOn ? 'manual' : 'disabled';
};

/**
 * How the service caches prompts. A time that the node names is given for the whole request, and longer times must
 * come first: no part has its own mark then.
 */
const cachingOf = (options: JsonObject): Pick<ChatSettings, 'cachesPrompt'> & { readonly mark: JsonObject } => {
  const ttl = wordOf(options, 'promptCaching');
  if (ttl === undefined) return { mark: {} };
  return { cachesPrompt: false, mark: ttl === 'disabled' ? {} : { cache_control: { type: 'ephemeral', ttl } } };
};

/** Options of the Anthropic kind. With thinking, the service takes only the limit. */
export const anthropicOptions = (options: JsonObject, node: ModelNode): ChatSettings => {
  const thinking = thinkingOf(options, node);
  const { mark, ...caching } = cachingOf(options);
  const shared = { maxTokens: limitOf(options, 'maxTokensToSample'), ...caching };
  if (thinking === 'manual')
    return {
      ...shared,
      thinkingTokens: limitOf(options, 'thinkingBudget') ?? LEAST_THINKING_TOKENS,
      body: unlessEmpty(mark),
    };
  if (thinking === 'adaptive')
    return {
      ...shared,
      reasoningEffort: wordOf(options, 'effort') ?? 'medium',
      body: { ...mark, thinking: { type: 'adaptive' } },
    };
  return {
    ...shared,
    temperature: numberField(options, 'temperature'),
    topP: limitOf(options, 'topP'),
    topK: limitOf(options, 'topK'),
    body: unlessEmpty(thinking === 'disabled' ? { ...mark, thinking: { type: 'disabled' } } : mark),
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
    think: booleanField(options, 'think'),
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
