import {
  choice,
  type CredentialField,
  type CredentialType,
  HOST_LIMIT,
  hosted,
  type RequestRule,
  required,
  secret,
  text,
} from './credential-type';

const KEY = secret('apiKey', 'API key', { required: true });
const BEARER: RequestRule = { headers: { Authorization: 'Bearer {apiKey}' } };

const address = (name: string, initial: string): CredentialField =>
  text(name, 'Base URL', { default: initial, help: 'Of the service, or of a gateway to it.' });

/** A header for a gateway between here and the service. */
const OWN_HEADER: readonly CredentialField[] = [
  {
    name: 'header',
    label: 'Add a header',
    type: 'boolean',
    required: false,
    secret: false,
    default: false,
    help: 'Model nodes then send the header below.',
  },
  text('headerName', 'Name of the header'),
  secret('headerValue', 'Value of the header'),
];

/** A service whose key is in the header `Authorization`. @param check path of a request that tests the credential */
const bearer = (name: string, label: string, url: string, check = '/models'): CredentialType => ({
  ...hosted(name, label, ['url', check], 'header', BEARER, [KEY, address('url', url)]),
  hosts: [new URL(url).hostname],
});

/** A service at one address. */
const fixed = (name: string, label: string, url: string): CredentialType => {
  const { hostField: _hostField, ...type } = hosted(name, label, ['url', ''], 'header', BEARER, [KEY]);
  return { ...type, test: { kind: 'request', url: `${url}/models` }, hosts: [new URL(url).hostname] };
};

/** Services of language models. Names of types and fields are n8n's. */
export const MODEL_TYPES: readonly CredentialType[] = [
  {
    ...hosted(
      'openAiApi',
      'OpenAI',
      ['url', '/models'],
      'header',
      { headers: { Authorization: 'Bearer {apiKey}', 'OpenAI-Organization': '{organizationId}' } },
      [KEY, text('organizationId', 'Organisation ID'), address('url', 'https://api.openai.com/v1'), ...OWN_HEADER],
    ),
    hosts: ['api.openai.com'],
  },
  {
    ...hosted(
      'anthropicApi',
      'Anthropic',
      ['url', '/v1/models'],
      'header',
      { headers: { 'x-api-key': '{apiKey}' }, fallbackHeaders: { 'anthropic-version': '2023-06-01' } },
      [KEY, address('url', 'https://api.anthropic.com'), ...OWN_HEADER],
    ),
    hosts: ['api.anthropic.com'],
  },
  bearer('deepSeekApi', 'DeepSeek', 'https://api.deepseek.com'),
  bearer('openRouterApi', 'OpenRouter', 'https://openrouter.ai/api/v1', '/key'),
  bearer('xAiApi', 'xAI', 'https://api.x.ai/v1'),
  bearer('vercelAiGatewayApi', 'Vercel AI Gateway', 'https://ai-gateway.vercel.sh/v1', '/credits'),
  fixed('groqApi', 'Groq', 'https://api.groq.com/openai/v1'),
  fixed('mistralCloudApi', 'Mistral', 'https://api.mistral.ai/v1'),
  {
    ...hosted('googlePalmApi', 'Google Gemini', ['host', '/v1beta/models'], 'query', { query: { key: '{apiKey}' } }, [
      KEY,
      address('host', 'https://generativelanguage.googleapis.com'),
    ]),
    hosts: ['generativelanguage.googleapis.com'],
  },
  {
    name: 'azureOpenAiApi',
    label: 'Azure OpenAI',
    fields: [
      choice('endpointType', 'Type of the endpoint', ['classic', 'foundry']),
      KEY,
      text('resourceName', 'Resource name', { help: 'If the choice above is classic.' }),
      text('apiVersion', 'API version', { default: '2025-03-01-preview', help: 'If the choice above is classic.' }),
      text('endpoint', 'Endpoint', { help: 'In place of the resource name, such as https://models.example.com' }),
      text('foundryEndpoint', 'Foundry endpoint', {
        help: 'If the choice above is foundry, such as https://example.services.ai.azure.com/openai/v1',
      }),
      ...HOST_LIMIT,
    ],
    applied: 'header',
    request: { headers: { 'api-key': '{apiKey}' } },
    test: { kind: 'address' },
    hosts: ['*.openai.azure.com', '*.services.ai.azure.com', '*.cognitiveservices.azure.com'],
  },
  hosted('ollamaApi', 'Ollama', ['baseUrl', '/api/tags'], 'header', BEARER, [
    required('baseUrl', 'Base URL', { default: 'http://localhost:11434' }),
    secret('apiKey', 'API key', { help: 'If the server is behind a gateway that asks for one.' }),
  ]),
];
