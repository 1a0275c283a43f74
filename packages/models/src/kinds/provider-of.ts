import type { ModelEndpoint } from '../client/model-endpoint';
import type { EmbeddingEndpoint } from '../embeddings/embedding-model';
import type { Vendor } from '../formats/openai-chat/vendors';

/** Names of services in OpenTelemetry's conventions, and in their style for those that have none there. */
export const PROVIDERS = [
  'openai',
  'azure.ai.openai',
  'azure.ai.inference',
  'anthropic',
  'gcp.gemini',
  'deepseek',
  'groq',
  'mistral_ai',
  'x_ai',
  'cohere',
  'moonshot_ai',
  'minimax',
  'alibaba',
  'nvidia',
  'lemonade',
  'openrouter',
  'vercel',
  'ollama',
  'compatible',
] as const;

/** Name of a service; `compatible` for other servers with the API of OpenAI. */
export type Provider = (typeof PROVIDERS)[number];

const OF_VENDOR: Readonly<Record<Vendor, Provider>> = {
  openai: 'openai',
  azure: 'azure.ai.openai',
  foundry: 'azure.ai.inference',
  openrouter: 'openrouter',
  deepseek: 'deepseek',
  xai: 'x_ai',
  vercel: 'vercel',
  groq: 'groq',
  mistral: 'mistral_ai',
  moonshot: 'moonshot_ai',
  minimax: 'minimax',
  qwen: 'alibaba',
  nvidia: 'nvidia',
  cohere: 'cohere',
  lemonade: 'lemonade',
  compatible: 'compatible',
};

/** The service at an endpoint, as far as its format and vendor tell. */
export function providerOf({ format, vendor = 'openai' }: Pick<ModelEndpoint, 'format' | 'vendor'>): Provider {
  switch (format) {
    case 'openai-chat':
      return OF_VENDOR[vendor];
    case 'openai-responses':
      return 'openai';
    case 'gemini':
      return 'gcp.gemini';
    case 'anthropic':
    case 'ollama':
      return format;
  }
}

/** The service of embeddings at an endpoint; those with the API of OpenAI count as OpenAI, unless it is Mistral. */
export function providerOfEmbedding({ format, baseUrl }: Pick<EmbeddingEndpoint, 'format' | 'baseUrl'>): Provider {
  switch (format) {
    case 'openai':
      return URL.parse(baseUrl)?.hostname.endsWith('mistral.ai') === true ? 'mistral_ai' : 'openai';
    case 'azure':
      return 'azure.ai.openai';
    case 'gemini':
      return 'gcp.gemini';
    case 'cohere':
    case 'ollama':
      return format;
  }
}
