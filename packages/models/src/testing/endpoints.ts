import type { ModelFormat } from '../chat-model';
import type { ModelEndpoint } from '../client/model-endpoint';

/** All formats, for tests of each. */
export const FORMATS: readonly ModelFormat[] = ['openai-chat', 'openai-responses', 'gemini', 'anthropic', 'ollama'];

/** Key of the test endpoints. */
export const TEST_KEY = 'sk-test-0123456789abcdef';

/** The stand-in as the service of a format. */
export const endpointOf = (format: ModelFormat, url: string, more: Partial<ModelEndpoint> = {}): ModelEndpoint => ({
  format,
  baseUrl: format.startsWith('openai') ? `${url}/v1` : url,
  model: format === 'openai-responses' ? 'gpt-5.2' : 'test-model',
  apiKey: TEST_KEY,
  // its thinking can be sent back
  ...(format === 'openai-chat' ? { vendor: 'deepseek' as const } : {}),
  ...more,
});
