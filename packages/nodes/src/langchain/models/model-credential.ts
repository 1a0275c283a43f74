import { NodeFailure } from '@weft/engine';
import { type JsonObject, textField } from '@weft/node-catalogue';

/** Credential types by kind. */
const TYPES: Readonly<Record<string, string>> = {
  lmChatOpenAi: 'openAiApi',
  lmOpenAi: 'openAiApi',
  openAi: 'openAiApi',
  googleGemini: 'googlePalmApi',
  anthropic: 'anthropicApi',
  ollama: 'ollamaApi',
  lmChatOpenRouter: 'openRouterApi',
  lmChatDeepSeek: 'deepSeekApi',
  lmChatXAiGrok: 'xAiApi',
  lmChatVercelAiGateway: 'vercelAiGatewayApi',
  lmChatGroq: 'groqApi',
  lmChatMoonshot: 'moonshotApi',
  lmChatMinimax: 'minimaxApi',
  lmChatAlibabaCloud: 'alibabaCloudApi',
  lmChatNvidia: 'nvidiaApi',
  lmChatCohere: 'cohereApi',
  lmChatLemonade: 'lemonadeApi',
  lmChatMistralCloud: 'mistralCloudApi',
  lmChatAzureOpenAi: 'azureOpenAiApi',
  lmChatGoogleGemini: 'googlePalmApi',
  lmChatAnthropic: 'anthropicApi',
  lmChatOllama: 'ollamaApi',
  lmOllama: 'ollamaApi',
  embeddingsOpenAi: 'openAiApi',
  embeddingsMistralCloud: 'mistralCloudApi',
  embeddingsGoogleGemini: 'googlePalmApi',
  embeddingsOllama: 'ollamaApi',
  embeddingsAzureOpenAi: 'azureOpenAiApi',
  embeddingsCohere: 'cohereApi',
};

/** The type of the credential of a kind, given without its prefix. */
export function credentialTypeOf(kind: string): string {
  const type = modelCredentialOf(`${PREFIX}${kind}`);
  if (type === undefined) throw new Error(`The kind ${kind} has no credential type.`);
  return type;
}

const PREFIX = 'langchain.';

/** The type of the credential of a kind that calls models; undefined for any other kind. */
export function modelCredentialOf(kind: string): string | undefined {
  const name = kind.startsWith(PREFIX) ? kind.slice(PREFIX.length) : kind;
  return Object.hasOwn(TYPES, name) ? TYPES[name] : undefined;
}

/**
 * Hosts that the owner of a credential lists; undefined if it lists none, and the key goes only to the host of the
 * credential.
 * @throws NodeFailure for a limit without hosts
 */
export function allowedHostsOfModel(credential: JsonObject): readonly string[] | undefined {
  if (textField(credential, 'allowedHttpRequestDomains') !== 'domains') return undefined;
  const hosts = (textField(credential, 'allowedDomains') ?? '')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  if (hosts.length > 0) return hosts;
  throw new NodeFailure('No allowed domains specified', {
    description: 'The credential is limited to certain domains, but lists none.',
  });
}
