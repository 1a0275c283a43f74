import { CREDENTIAL_TYPES, credentialFieldErrors, credentialText } from './index';
import { MODEL_TYPES } from './model-types';

/** The URL of the test of a credential with these fields. */
const tested = (type: string, data: Readonly<Record<string, string>> = {}): string | undefined => {
  const test = CREDENTIAL_TYPES.get(type)?.test;
  return test?.kind === 'request'
    ? test.url.replaceAll(/\{(\w+)\}/g, (_all, name: string) => credentialText(type, name, data))
    : undefined;
};

describe('credentials of models', () => {
  it.each([
    ['openAiApi', 'https://api.openai.com/v1/models'],
    ['anthropicApi', 'https://api.anthropic.com/v1/models'],
    ['openRouterApi', 'https://openrouter.ai/api/v1/key'],
    ['deepSeekApi', 'https://api.deepseek.com/models'],
    ['xAiApi', 'https://api.x.ai/v1/models'],
    ['vercelAiGatewayApi', 'https://ai-gateway.vercel.sh/v1/credits'],
    ['groqApi', 'https://api.groq.com/openai/v1/models'],
    ['mistralCloudApi', 'https://api.mistral.ai/v1/models'],
    ['googlePalmApi', 'https://generativelanguage.googleapis.com/v1beta/models'],
    ['ollamaApi', 'http://localhost:11434/api/tags'],
    ['azureOpenAiApi', undefined],
    ['moonshotApi', undefined],
    ['nvidiaApi', 'https://integrate.api.nvidia.com/v1/models'],
    ['lemonadeApi', 'http://localhost:8000/api/v1/models'],
  ])('of type %s are tested at %s', (type, url) => {
    expect(tested(type)).toBe(url);
  });

  it('are tested at their own address', () => {
    expect(tested('openAiApi', { url: 'https://gate.example/v1' })).toBe('https://gate.example/v1/models');
    expect(tested('googlePalmApi', { host: 'https://gate.example' })).toBe('https://gate.example/v1beta/models');
  });

  it('hide keys and values of headers, and nothing else', () => {
    for (const { fields } of MODEL_TYPES)
      expect(fields.filter(({ secret }) => secret).map(({ name }) => name)).toEqual(
        fields.some(({ name }) => name === 'headerValue') ? ['apiKey', 'headerValue'] : ['apiKey'],
      );
  });

  it('that n8n has stored are valid, also without the fields that it hides', () => {
    for (const type of MODEL_TYPES) {
      const isOwn = type.hostField === 'baseUrl';
      const data = isOwn ? { baseUrl: 'http://10.0.0.5:11434' } : { apiKey: 'k' };
      expect([type.name, credentialFieldErrors(type, data)]).toEqual([type.name, []]);
    }
  });
});
