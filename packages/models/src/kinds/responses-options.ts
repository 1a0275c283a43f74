import { booleanField, isJsonObject, type Json, type JsonObject, objectField } from '@weft/service-kit/json-values';
import type { ChatSettings } from '../chat-model';
import { present, unlessEmpty } from '../formats/shared/request-parts';
import type { ModelNode } from './model-node';
import { extraBodyOf, openAiCompatibleOptions } from './openai-options';
import { entryOf, jsonOf, limitOf, listOf, renamed, wordOf } from './option-values';

/** Options and built-in tools of the Responses API. */
export const openAiResponsesOptions = (options: JsonObject, { parameters }: ModelNode): ChatSettings => {
  const text = entryOf(options, 'textFormat', 'textOptions');
  const prompt = entryOf(options, 'promptConfig', 'promptOptions');
  const tools = builtInTools(objectField(parameters, 'builtInTools') ?? {});
  const body = present({
    ...renamed(options, {
      conversationId: 'conversation',
      promptCacheKey: 'prompt_cache_key',
      safetyIdentifier: 'safety_identifier',
      serviceTier: 'service_tier',
      topLogprobs: 'top_logprobs',
    }),
    metadata: jsonOf(options, 'metadata', 'Metadata'),
    text: text === undefined ? undefined : textFormat(text),
    prompt:
      prompt === undefined
        ? undefined
        : present({
            id: wordOf(prompt, 'promptId'),
            version: wordOf(prompt, 'version'),
            variables: jsonOf(prompt, 'variables', 'Variables'),
          }),
    tools: tools.length === 0 ? undefined : tools,
  });
  return {
    ...openAiCompatibleOptions(options),
    // the option of the older API, which a node may still have
    json: undefined,
    body: unlessEmpty({ ...body, ...extraBodyOf(options) }),
  };
};

function textFormat(text: JsonObject): JsonObject {
  const type = wordOf(text, 'type');
  const schema = type === 'json_schema' ? jsonOf(text, 'schema', 'Schema') : undefined;
  return present({
    verbosity: wordOf(text, 'verbosity'),
    format:
      type === undefined
        ? undefined
        : present({
            type,
            name: type === 'json_schema' ? (wordOf(text, 'name') ?? 'answer') : undefined,
            schema,
            description: type === 'json_schema' ? wordOf(text, 'description') : undefined,
            strict: type === 'json_schema' ? booleanField(text, 'strict') : undefined,
          }),
  });
}

/** Tools that the service runs. */
function builtInTools(chosen: JsonObject): JsonObject[] {
  const web = objectField(chosen, 'webSearch');
  const files = objectField(chosen, 'fileSearch');
  return [
    ...(web === undefined ? [] : [webSearch(web)]),
    ...(booleanField(chosen, 'codeInterpreter') === true
      ? [{ type: 'code_interpreter', container: { type: 'auto' } }]
      : []),
    ...(files === undefined ? [] : [fileSearch(files)]),
  ];
}

function webSearch(web: JsonObject): JsonObject {
  const place = renamed(web, { country: 'country', city: 'city', region: 'region' });
  const domains = listOf(web, 'allowedDomains');
  return present({
    type: 'web_search',
    search_context_size: wordOf(web, 'searchContextSize') ?? 'medium',
    user_location: Object.keys(place).length === 0 ? undefined : { type: 'approximate', ...place },
    filters: domains === undefined ? undefined : { allowed_domains: domains },
  });
}

function fileSearch(files: JsonObject): JsonObject {
  const ids: Json | undefined = jsonOf(files, 'vectorStoreIds', 'Vector Store IDs');
  const filters = jsonOf(files, 'filters', 'Filters');
  return present({
    type: 'file_search',
    vector_store_ids: ids ?? [],
    // an empty filter is refused by the service
    filters: isJsonObject(filters) && Object.keys(filters).length > 0 ? filters : undefined,
    max_num_results: limitOf(files, 'maxResults'),
  });
}
