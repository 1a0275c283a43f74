import type { KindDescriptor, ParameterDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../descriptors/build-parameters';
import {
  compatibleOptions,
  flag,
  MAX_RETRIES,
  MAX_TOKENS,
  modelKind,
  modelName,
  number,
  optionsOf,
  TEMPERATURE,
  TOP_P,
  words,
} from './descriptor-parts';

/** Time that n8n shows for these services, in milliseconds. */
const TIMEOUT_MS = 360_000;

/** A service with the API of OpenAI. */
const compatible = (
  kind: string,
  [label, credential, model]: readonly [label: string, credential: string, model: string],
  ...more: readonly ParameterDescriptor[]
): KindDescriptor =>
  modelKind(kind, {
    label: `${label} Chat Model`,
    description: `A chat model of ${label}.`,
    credential,
    parameters: [modelName(model), optionsOf(...compatibleOptions(TIMEOUT_MS), ...more)],
  });

const slugs = (name: string, label: string, help: string): ParameterDescriptor => text(name, label, '', { help });

export const lmChatOpenRouter = compatible('lmChatOpenRouter', ['OpenRouter', 'openRouterApi', 'openai/gpt-4.1-mini'], {
  name: 'providerRouting',
  label: 'Provider routing',
  type: 'collection',
  default: {},
  help: 'The services that OpenRouter may choose from.',
  fields: [
    slugs('order', 'Order', 'Names of services to try in turn, separated by commas.'),
    flag('allowFallbacks', 'Allow fallbacks', true, 'Other services may be used if the first is away.'),
    flag('requireParameters', 'Require parameters', false, 'Only services that know all options.'),
    words('dataCollection', 'Data collection', 'allow', ['allow', 'deny'], 'Services that collect data.'),
    flag('zdr', 'Zero data retention', false, 'Only services that store nothing.'),
    slugs('only', 'Only', 'Names of services to use, separated by commas.'),
    slugs('ignore', 'Ignore', 'Names of services not to use, separated by commas.'),
    {
      name: 'sort',
      label: 'Sort',
      type: 'options',
      default: '',
      options: [choice('price', 'Price'), choice('throughput', 'Throughput'), choice('latency', 'Latency')],
    },
  ],
});

export const lmChatDeepSeek = compatible('lmChatDeepSeek', ['DeepSeek', 'deepSeekApi', 'deepseek-chat']);

export const lmChatXAiGrok = compatible(
  'lmChatXAiGrok',
  ['xAI Grok', 'xAiApi', 'grok-2-vision-1212'],
  flag('priority', 'Enable priority', false, 'Calls are answered sooner, at a higher price.'),
  words('reasoning', 'Reasoning effort', 'low', ['none', 'low', 'medium', 'high'], 'For models that reason.'),
);

export const lmChatVercelAiGateway = compatible('lmChatVercelAiGateway', [
  'Vercel AI Gateway',
  'vercelAiGatewayApi',
  'openai/gpt-4o',
]);

export const lmChatGroq = modelKind('lmChatGroq', {
  label: 'Groq Chat Model',
  description: 'A chat model of Groq.',
  credential: 'groqApi',
  parameters: [
    modelName('llama3-8b-8192'),
    optionsOf(number('maxTokensToSample', 'Maximum number of tokens', 4_096, 'Of the response.'), TEMPERATURE),
  ],
});

export const lmChatMistralCloud = modelKind('lmChatMistralCloud', {
  label: 'Mistral Cloud Chat Model',
  description: 'A chat model of Mistral.',
  credential: 'mistralCloudApi',
  parameters: [
    modelName('mistral-small'),
    optionsOf(
      MAX_TOKENS,
      TEMPERATURE,
      MAX_RETRIES,
      TOP_P,
      flag('safeMode', 'Enable safe mode', false, 'The service adds a prompt about safety.'),
      { name: 'randomSeed', label: 'Random seed', type: 'number', help: 'Calls with one seed give the same response.' },
    ),
  ],
});

export const lmChatAzureOpenAi: KindDescriptor = {
  ...modelKind('lmChatAzureOpenAi', {
    label: 'Azure OpenAI Chat Model',
    description: 'A deployment of a chat model at Azure.',
    credential: 'azureOpenAiApi',
    parameters: [
      {
        name: 'authentication',
        label: 'Authentication',
        type: 'options',
        default: 'azureOpenAiApi',
        help: 'How the node authenticates itself.',
        options: [
          choice('azureOpenAiApi', 'API key'),
          choice('azureEntraCognitiveServicesOAuth2Api', 'Azure Entra ID (OAuth2)', {
            refused: 'Sign-in with Entra ID is not supported: use an API key of the resource.',
          }),
        ],
      },
      { ...text('model', 'Model (deployment) name'), required: true, help: 'Name of the deployment.' },
      optionsOf(...compatibleOptions(60_000)),
    ],
  }),
  credentials: [{ type: 'azureOpenAiApi', required: true, shownWhen: { authentication: ['azureOpenAiApi'] } }],
};
