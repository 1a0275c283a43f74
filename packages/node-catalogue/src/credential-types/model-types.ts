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

const OWN_ADDRESS = text('url', 'Base URL', { help: 'In place of the address of the region.' });

/** A service with an address for each region, the first of which is the default. */
const regional = (
  name: string,
  label: string,
  hosts: readonly string[],
  regions: readonly [string, ...string[]],
  more: readonly CredentialField[],
): CredentialType => ({
  name,
  label,
  fields: [KEY, choice('region', 'Region', regions), ...more, ...HOST_LIMIT],
  applied: 'header',
  request: BEARER,
  test: { kind: 'address' },
  hosts,
});

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
  regional(
    'moonshotApi',
    'Moonshot',
    ['api.moonshot.ai', 'api.moonshot.cn'],
    ['international', 'china'],
    [OWN_ADDRESS],
  ),
  regional('minimaxApi', 'MiniMax', ['api.minimax.io', 'api.minimaxi.com'], ['international', 'china'], [OWN_ADDRESS]),
  regional(
    'alibabaCloudApi',
    'Qwen (Alibaba Cloud)',
    ['*.aliyuncs.com'],
    ['ap-southeast-1', 'us-east-1', 'cn-beijing', 'cn-hongkong', 'eu-central-1'],
    [text('workspaceId', 'Workspace ID', { help: 'If the region is eu-central-1.' })],
  ),
  {
    ...hosted('nvidiaApi', 'NVIDIA', ['url', '/models'], 'header', BEARER, [
      address('url', 'https://integrate.api.nvidia.com/v1'),
      secret('apiKey', 'API key', { help: 'A NIM server may need none.' }),
    ]),
    hosts: ['integrate.api.nvidia.com'],
  },
  hosted('lemonadeApi', 'Lemonade', ['baseUrl', '/models'], 'header', BEARER, [
    required('baseUrl', 'Base URL', { default: 'http://localhost:8000/api/v1' }),
    secret('apiKey', 'API key', { help: 'If the server asks for one.' }),
  ]),
  hosted('ollamaApi', 'Ollama', ['baseUrl', '/api/tags'], 'header', BEARER, [
    required('baseUrl', 'Base URL', { default: 'http://localhost:11434' }),
    secret('apiKey', 'API key', { help: 'If the server is behind a gateway that asks for one.' }),
  ]),
];
