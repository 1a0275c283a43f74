import type { Conditions, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import {
  compatibleOptions,
  flag,
  FREQUENCY_PENALTY,
  json,
  MAX_RETRIES,
  MAX_TOKENS,
  modelKind,
  modelLocator,
  modelName,
  number,
  optionsOf,
  PRESENCE_PENALTY,
  RESPONSE_FORMAT,
  TEMPERATURE,
  timeout,
  TOP_P,
  words,
} from './descriptor-parts';

const BASE_URL = text('baseURL', 'Base URL', 'https://api.openai.com/v1', {
  help: 'On another host than that of the credential, the credential must allow the host.',
});

/** The newer API, from 1.3 on. */
const RESPONSES: Conditions = { '/responsesApiEnabled': [true] };

const ofResponses = (parameter: ParameterDescriptor): ParameterDescriptor => ({
  ...parameter,
  since: 1.3,
  shownWhen: RESPONSES,
});

const SCHEMA: Conditions = { type: ['json_schema'] };

const EXAMPLE_SCHEMA = JSON.stringify(
  {
    type: 'object',
    properties: { message: { type: 'string' } },
    additionalProperties: false,
    required: ['message'],
  },
  undefined,
  2,
);

/** Form of responses of the newer API. */
export const TEXT_FORMAT: ParameterDescriptor = {
  name: 'textFormat',
  label: 'Response format',
  type: 'fixedCollection',
  help: 'Form of the response.',
  groups: [
    {
      name: 'textOptions',
      label: 'Text',
      fields: [
        {
          name: 'type',
          label: 'Type',
          type: 'options',
          default: '',
          options: [choice('text', 'Text'), choice('json_schema', 'JSON schema'), choice('json_object', 'JSON object')],
        },
        words('verbosity', 'Verbosity', 'medium', ['low', 'medium', 'high'], 'Length of the response.'),
        { ...text('name', 'Name', 'my_schema'), shownWhen: SCHEMA, help: 'Letters, digits, `_` and `-`.' },
        { ...json('schema', 'Schema', EXAMPLE_SCHEMA, 'JSON Schema of the response.'), shownWhen: SCHEMA },
        { ...text('description', 'Description'), shownWhen: SCHEMA },
        { ...flag('strict', 'Strict', false, 'The service enforces the schema.'), shownWhen: SCHEMA },
      ],
    },
  ],
};

/** A prompt of the newer API. */
export const PROMPT: ParameterDescriptor = {
  name: 'promptConfig',
  label: 'Prompt',
  type: 'fixedCollection',
  help: 'A prompt that is stored at the service.',
  groups: [
    {
      name: 'promptOptions',
      label: 'Prompt',
      fields: [
        text('promptId', 'Prompt ID'),
        text('version', 'Version'),
        json('variables', 'Variables', '{}', 'A JSON object.'),
      ],
    },
  ],
};

/** Tools of the newer API. */
export const BUILT_IN_TOOLS: ParameterDescriptor = {
  name: 'builtInTools',
  label: 'Built-in tools',
  type: 'collection',
  default: {},
  help: 'Tools that the service itself runs.',
  fields: [
    {
      name: 'webSearch',
      label: 'Web search',
      type: 'collection',
      fields: [
        words('searchContextSize', 'Context size', 'medium', ['low', 'medium', 'high'], 'Space for results.'),
        text('allowedDomains', 'Allowed domains', '', { help: 'Separated by commas.' }),
        text('country', 'Country'),
        text('city', 'City'),
        text('region', 'Region'),
      ],
    },
    {
      name: 'fileSearch',
      label: 'File search',
      type: 'collection',
      fields: [
        json('vectorStoreIds', 'Vector store IDs', '[]', 'A JSON array.'),
        json('filters', 'Filters', '{}', 'A JSON object.'),
        number('maxResults', 'Max results', 1, 'From 1 to 50.'),
      ],
    },
    flag('codeInterpreter', 'Code interpreter', true, 'The model may run code at the service.'),
  ],
};

export const lmChatOpenAi = modelKind('lmChatOpenAi', {
  label: 'OpenAI Chat Model',
  description: 'A chat model of OpenAI, or of a server with the same API.',
  versions: [1, 1.1, 1.2, 1.3],
  credential: 'openAiApi',
  differs: ['At another host than `api.openai.com`, the chat API has the older names of fields.'],
  parameters: [
    { ...modelName('gpt-5-mini'), until: 1.1 },
    { ...modelLocator('gpt-5-mini'), since: 1.2 },
    {
      ...flag('responsesApiEnabled', 'Use Responses API', true, 'Calls the newer API of OpenAI.'),
      since: 1.3,
    },
    { ...BUILT_IN_TOOLS, since: 1.3, shownWhen: { responsesApiEnabled: [true] } },
    optionsOf(
      { ...BASE_URL, until: 1 },
      FREQUENCY_PENALTY,
      MAX_TOKENS,
      { ...RESPONSE_FORMAT, until: 1.2 },
      { ...RESPONSE_FORMAT, since: 1.3, shownWhen: { '/responsesApiEnabled': [false] } },
      ofResponses(TEXT_FORMAT),
      PRESENCE_PENALTY,
      TEMPERATURE,
      words('reasoningEffort', 'Reasoning effort', 'medium', ['low', 'medium', 'high'], 'For models that reason.'),
      timeout(60_000),
      MAX_RETRIES,
      TOP_P,
      json('extraBody', 'Extra body', '{}', 'A JSON object whose fields are added to the body of the request.'),
      ofResponses(text('conversationId', 'Conversation ID', '', { help: 'A conversation stored at the service.' })),
      ofResponses(text('promptCacheKey', 'Prompt cache key', '', { help: 'Requests with one key share a cache.' })),
      ofResponses(text('safetyIdentifier', 'Safety identifier', '', { help: 'Identifies a user of yours.' })),
      ofResponses(
        words('serviceTier', 'Service tier', 'auto', ['auto', 'flex', 'default', 'priority'], 'Speed and price.'),
      ),
      ofResponses(json('metadata', 'Metadata', '{}', 'At most 16 pairs, which the service stores.')),
      ofResponses(number('topLogprobs', 'Top logprobs', 0, 'From 0 to 20: likely tokens that are returned.')),
      ofResponses(PROMPT),
    ),
  ],
});

export const lmOpenAi = modelKind('lmOpenAi', {
  label: 'OpenAI Model',
  description: 'A model of OpenAI, called by its chat API.',
  credential: 'openAiApi',
  differs: ['Models that only have the older API for completions are refused by the service: choose a chat model.'],
  parameters: [
    modelLocator('gpt-3.5-turbo-instruct'),
    optionsOf(BASE_URL, ...compatibleOptions(60_000).filter(({ name }) => name !== 'responseFormat')),
  ],
});
