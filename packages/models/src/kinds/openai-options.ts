import {
  booleanField,
  isJsonObject,
  type JsonObject,
  numberField,
  objectField,
  textField,
} from '@weft/service-kit/json-values';
import type { ChatSettings } from '../chat-model';
import { present, unlessEmpty } from '../formats/shared/request-parts';
import { ModelError } from '../model-error';
import { jsonOf, limitOf, listOf, renamed, wordOf } from './option-values';

/** Settings of the options that all kinds on `openai-chat` have. */
export const openAiCompatibleOptions = (options: JsonObject): ChatSettings => ({
  temperature: numberField(options, 'temperature'),
  topP: limitOf(options, 'topP'),
  maxTokens: limitOf(options, 'maxTokens') ?? limitOf(options, 'maxTokensToSample'),
  frequencyPenalty: numberField(options, 'frequencyPenalty'),
  presencePenalty: numberField(options, 'presencePenalty'),
  json: textField(options, 'responseFormat') === 'json_object' ? true : undefined,
  reasoningEffort: wordOf(options, 'reasoningEffort'),
  timeoutMs: limitOf(options, 'timeout'),
  maxRetries: limitOf(options, 'maxRetries'),
});

/** Options of OpenAI, and of servers that speak as it does. */
export const openAiOptions = (options: JsonObject): ChatSettings => ({
  ...openAiCompatibleOptions(options),
  body: unlessEmpty(extraBodyOf(options)),
});

/**
 * Fields that the user adds to the body of requests.
 * @throws ModelError BAD_REQUEST if they are not a JSON object
 */
export const extraBodyOf = (options: JsonObject): JsonObject => {
  const extra = jsonOf(options, 'extraBody', 'Extra Body') ?? {};
  if (!isJsonObject(extra))
    throw new ModelError('BAD_REQUEST', 'The option "Extra Body" must be a JSON object. Correct it in the node.');
  return extra;
};

/** Options that only xAI has. */
export const xAiOptions = (options: JsonObject): ChatSettings => ({
  ...openAiCompatibleOptions(options),
  reasoningEffort: wordOf(options, 'reasoning'),
  body: booleanField(options, 'priority') === true ? { service_tier: 'priority' } : undefined,
});

/** Options that only OpenRouter has: which services it may choose from. */
export const openRouterOptions = (options: JsonObject): ChatSettings => {
  const routing = objectField(options, 'providerRouting') ?? {};
  const provider = present({
    order: listOf(routing, 'order'),
    only: listOf(routing, 'only'),
    ignore: listOf(routing, 'ignore'),
    ...renamed(routing, {
      allowFallbacks: 'allow_fallbacks',
      requireParameters: 'require_parameters',
      dataCollection: 'data_collection',
      zdr: 'zdr',
      sort: 'sort',
    }),
  });
  return { ...openAiCompatibleOptions(options), body: Object.keys(provider).length === 0 ? undefined : { provider } };
};

/** Options that only Mistral has. */
export const mistralOptions = (options: JsonObject): ChatSettings => ({
  ...openAiCompatibleOptions(options),
  seed: limitOf(options, 'randomSeed'),
  body: booleanField(options, 'safeMode') === true ? { safe_prompt: true } : undefined,
});

/** Options that only MiniMax has: thinking is a field next to the text unless the node wants it in the text. */
export const minimaxOptions = (options: JsonObject): ChatSettings => ({
  ...openAiCompatibleOptions(options),
  body: booleanField(options, 'hideThinking') === false ? undefined : { reasoning_split: true },
});

/** Options that only Lemonade has. */
export const lemonadeOptions = (options: JsonObject): ChatSettings => ({
  ...openAiCompatibleOptions(options),
  maxTokens: limitOf(options, 'maxTokens') || undefined,
  stop: listOf(options, 'stop'),
});
