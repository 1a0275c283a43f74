import type { ModelEndpoint } from '../client/model-endpoint';
import { versionIn } from './shared/model-version';
import { VENDORS } from './openai-chat/vendors';

/** Models of OpenAI that enforce schemas. */
const OPENAI = /^(?:ft:)?(?:gpt-4o|gpt-4\.[1-9]|gpt-[5-9]|o[1-9])/;

/**
 * True if the service enforces the schema of an answer with this model. False if it refuses schemas, or may: the name
 * of a deployment, or of a model behind another server, does not tell.
 */
export function enforcesSchema({ format, vendor = 'openai', model }: ModelEndpoint): boolean {
  switch (format) {
    case 'openai-chat':
      if (vendor === 'mistral' || vendor === 'xai') return VENDORS[vendor].hasSchemas;
      // gateways name the maker first
      if (vendor === 'openrouter' || vendor === 'vercel')
        return model.startsWith('openai/') && OPENAI.test(model.slice('openai/'.length));
      return vendor === 'openai' && OPENAI.test(model);
    case 'openai-responses':
      return OPENAI.test(model);
    case 'gemini':
      return versionIn(model) >= 2.5;
    case 'anthropic':
      return versionIn(model) >= 4.5;
    case 'ollama':
      return true;
  }
}
