import { booleanField, type JsonObject, objectField, textField } from '@weft/service-kit/json-values';
import type { ChatSettings, ModelFormat } from '../chat-model';
import type { ModelEndpoint } from '../client/model-endpoint';
import { VENDORS, type Vendor } from '../formats/openai-chat/vendors';
import { ModelError } from '../model-error';
import {
  lemonadeOptions,
  minimaxOptions,
  mistralOptions,
  openAiCompatibleOptions,
  openAiOptions,
  openRouterOptions,
  xAiOptions,
} from './openai-options';
import type { ModelNode } from './model-node';
import { locatedOf, wordOf } from './option-values';
import { regionalAddress } from './regions';
import { anthropicOptions, geminiOptions, ollamaOptions } from './other-options';
import { openAiResponsesOptions } from './responses-options';

/** A model, and the settings of all calls of it. */
export interface NodeModel {
  readonly endpoint: ModelEndpoint;
  readonly settings: ChatSettings;
}

interface KindRules {
  readonly format: ModelFormat;
  readonly vendor?: Vendor;
  /** Field of the credential with the address, and the address if it has none. */
  readonly addressField?: string;
  readonly address?: string;
  /** Type of a credential that names a region. */
  readonly regionsOf?: string;
  readonly modelField?: string;
  readonly settings: (options: JsonObject, node: ModelNode) => ChatSettings;
}

const chat = (vendor: Vendor, settings: KindRules['settings'] = openAiCompatibleOptions): KindRules => {
  const { baseUrl } = VENDORS[vendor];
  return {
    format: 'openai-chat',
    vendor,
    addressField: 'url',
    ...(baseUrl === undefined ? {} : { address: baseUrl }),
    settings,
  };
};

const OLLAMA: KindRules = {
  format: 'ollama',
  addressField: 'baseUrl',
  address: 'http://localhost:11434',
  settings: ollamaOptions,
};

/** The newer API of OpenAI. */
const RESPONSES: KindRules = {
  format: 'openai-responses',
  addressField: 'url',
  address: 'https://api.openai.com/v1',
  settings: openAiResponsesOptions,
};

/** Azure at an address of its newer form, which has neither deployments nor versions in its paths. */
const FOUNDRY: KindRules = {
  format: 'openai-chat',
  vendor: 'foundry',
  addressField: 'foundryEndpoint',
  settings: openAiCompatibleOptions,
};

const KINDS: Readonly<Record<string, KindRules>> = {
  lmChatOpenAi: chat('openai', openAiOptions),
  lmOpenAi: chat('openai'),
  lmChatOpenRouter: chat('openrouter', openRouterOptions),
  lmChatDeepSeek: chat('deepseek'),
  lmChatXAiGrok: chat('xai', xAiOptions),
  lmChatVercelAiGateway: chat('vercel'),
  lmChatGroq: { ...chat('groq'), addressField: 'none' },
  lmChatMistralCloud: { ...chat('mistral', mistralOptions), addressField: 'none' },
  lmChatMoonshot: { ...chat('moonshot'), regionsOf: 'moonshotApi' },
  lmChatMinimax: { ...chat('minimax', minimaxOptions), regionsOf: 'minimaxApi' },
  // the credential of n8n has an address without the path of the API
  lmChatAlibabaCloud: { ...chat('qwen'), addressField: 'none', regionsOf: 'alibabaCloudApi' },
  lmChatNvidia: chat('nvidia'),
  lmChatCohere: { ...chat('cohere'), addressField: 'none' },
  lmChatLemonade: { ...chat('lemonade', lemonadeOptions), addressField: 'baseUrl' },
  lmChatAzureOpenAi: { ...chat('azure'), addressField: 'endpoint' },
  lmChatGoogleGemini: {
    format: 'gemini',
    addressField: 'host',
    address: 'https://generativelanguage.googleapis.com',
    modelField: 'modelName',
    settings: geminiOptions,
  },
  lmChatAnthropic: {
    format: 'anthropic',
    addressField: 'url',
    address: 'https://api.anthropic.com',
    settings: anthropicOptions,
  },
  lmChatOllama: OLLAMA,
  lmOllama: OLLAMA,
};

/** Names of the kinds that `modelOfNode` knows. */
export const MODEL_KINDS: readonly string[] = Object.keys(KINDS);

/**
 * The model that a node and its credential describe. Without `allowedHosts`, the key goes to the host of the credential
 * alone: an address in the node on another host is refused when a call is made.
 * @param credential fields of the credential
 * @throws ModelError for a kind that is not known, a missing model or address, and options that are not valid
 */
export function modelOfNode(node: ModelNode, credential: JsonObject, allowedHosts?: readonly string[]): NodeModel {
  const rules = rulesOf(node, credential);
  const options = objectField(node.parameters, 'options') ?? {};
  const model = locatedOf(node.parameters, rules.modelField ?? 'model');
  if (model === undefined)
    throw new ModelError('BAD_REQUEST', `The node has no value in "${rules.modelField ?? 'model'}". Choose a model.`);
  const own = addressOf(rules, credential);
  const baseUrl = baseUrlOf(options, own);
  const apiKey = wordOf(credential, 'apiKey');
  const apiVersion = wordOf(credential, 'apiVersion');
  const vendor = vendorOf(rules, baseUrl);
  return {
    endpoint: {
      format: rules.format,
      baseUrl,
      model,
      ...(vendor === undefined ? {} : { vendor }),
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(apiVersion === undefined ? {} : { apiVersion }),
      headers: headersOf(credential),
      allowedHosts: allowedHosts ?? [hostOf(own)],
    },
    settings: rules.settings(options, node),
  };
}

/** The address of the node, or the one given. @throws ModelError for an address in the node that is not one */
export function baseUrlOf(options: JsonObject, own: string): string {
  const given = wordOf(options, 'baseURL');
  if (given !== undefined && !URL.canParse(given))
    throw new ModelError(
      'BAD_REQUEST',
      'The option "Base URL" is not an address. Write it in full, for example https://example.com/v1.',
    );
  return given ?? own;
}

function rulesOf({ kind, typeVersion, parameters }: ModelNode, credential: JsonObject): KindRules {
  const rules = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (rules === undefined) throw new ModelError('UNSUPPORTED', `The model kind "${kind}" is not supported.`);
  if (rules.vendor === 'azure' && textField(credential, 'endpointType') === 'foundry') return FOUNDRY;
  const isResponses =
    kind === 'lmChatOpenAi' && typeVersion >= 1.3 && booleanField(parameters, 'responsesApiEnabled') !== false;
  return isResponses ? RESPONSES : rules;
}

function addressOf(
  { addressField = 'url', address, regionsOf = '', vendor }: KindRules,
  credential: JsonObject,
): string {
  const resource = vendor === 'azure' ? wordOf(credential, 'resourceName') : undefined;
  const found =
    wordOf(credential, addressField) ??
    regionalAddress(regionsOf, credential) ??
    (resource === undefined ? address : `https://${encodeURIComponent(resource)}.openai.azure.com`);
  if (found === undefined || !URL.canParse(found))
    throw new ModelError(
      'BAD_REQUEST',
      `The credential has no valid address in "${addressField}". Write it in full, for example https://example.com/v1.`,
    );
  return found;
}

/** Other servers than OpenAI's know only the older names of some fields. */
const vendorOf = ({ vendor }: KindRules, baseUrl: string): Vendor | undefined =>
  vendor === 'openai' && hostOf(baseUrl) !== 'api.openai.com' ? 'compatible' : vendor;

/** The host of an address; empty for text that is no address. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');

/** One header that the user adds, for gateways between here and the service. */
export function headersOf(credential: JsonObject): readonly (readonly [string, string])[] {
  const name = wordOf(credential, 'headerName');
  const value = wordOf(credential, 'headerValue');
  return booleanField(credential, 'header') === true && name !== undefined && value !== undefined
    ? [[name, value]]
    : [];
}
