import { booleanField, type JsonObject, numberField, objectField, textField } from '@weft/service-kit/json-values';
import { VENDORS } from '../formats/openai-chat/vendors';
import {
  EMBEDDING_LIMITS,
  type EmbeddingEndpoint,
  type EmbeddingFormat,
  type EmbeddingSettings,
} from '../embeddings/embedding-model';
import { ModelError } from '../model-error';
import type { ModelNode } from './model-node';
import { baseUrlOf, headersOf, hostOf } from './model-of-node';
import { limitOf, locatedOf, wordOf } from './option-values';

/** A service that makes vectors, and the settings of all calls of it. */
export interface NodeEmbedding {
  readonly endpoint: EmbeddingEndpoint;
  readonly settings: EmbeddingSettings;
  /** True if line breaks of strings become spaces. */
  readonly stripsNewLines: boolean;
}

interface KindRules {
  readonly format: EmbeddingFormat;
  /** Field of the credential with the address; absent: the address is fixed. */
  readonly addressField?: string;
  readonly address: string;
  readonly modelField: 'model' | 'modelName';
  readonly stripsNewLines?: true;
}

const KINDS: Readonly<Record<string, KindRules>> = {
  embeddingsOpenAi: {
    format: 'openai',
    addressField: 'url',
    address: 'https://api.openai.com/v1',
    modelField: 'model',
    stripsNewLines: true,
  },
  embeddingsMistralCloud: {
    format: 'openai',
    address: VENDORS.mistral.baseUrl ?? '',
    modelField: 'model',
    stripsNewLines: true,
  },
  embeddingsGoogleGemini: {
    format: 'gemini',
    addressField: 'host',
    address: 'https://generativelanguage.googleapis.com',
    modelField: 'modelName',
    stripsNewLines: true,
  },
  embeddingsOllama: {
    format: 'ollama',
    addressField: 'baseUrl',
    address: 'http://localhost:11434',
    modelField: 'model',
  },
  embeddingsAzureOpenAi: {
    format: 'azure',
    addressField: 'endpoint',
    address: '',
    modelField: 'model',
    stripsNewLines: true,
  },
  embeddingsCohere: { format: 'cohere', address: 'https://api.cohere.com', modelField: 'modelName' },
};

/** Azure at an address of its newer form, which has the paths of OpenAI. */
const FOUNDRY: KindRules = {
  format: 'openai',
  addressField: 'foundryEndpoint',
  address: '',
  modelField: 'model',
  stripsNewLines: true,
};

/** Names of the kinds that `embeddingOfNode` knows. */
export const EMBEDDING_KINDS: readonly string[] = Object.keys(KINDS);

/**
 * The service that a node and its credential describe. Without `allowedHosts`, the key goes to the host of the
 * credential alone.
 * @param credential fields of the credential
 * @throws ModelError for a kind that is not known, a missing model and an address that is not one
 */
export function embeddingOfNode(
  { kind, parameters }: ModelNode,
  credential: JsonObject,
  allowedHosts?: readonly string[],
): NodeEmbedding {
  const known = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  const rules = known?.format === 'azure' && textField(credential, 'endpointType') === 'foundry' ? FOUNDRY : known;
  if (rules === undefined) throw new ModelError('UNSUPPORTED', `The embedding kind "${kind}" is not supported.`);
  const { format, addressField, address, modelField, stripsNewLines = false } = rules;
  const options = objectField(parameters, 'options') ?? {};
  const model = locatedOf(parameters, modelField);
  if (model === undefined)
    throw new ModelError('BAD_REQUEST', `The node has no value in "${modelField}". Choose a model.`);
  const resource = format === 'azure' ? wordOf(credential, 'resourceName') : undefined;
  const own =
    (addressField === undefined ? undefined : wordOf(credential, addressField)) ??
    (resource === undefined ? address : `https://${encodeURIComponent(resource)}.openai.azure.com`);
  if (!URL.canParse(own)) {
    const example = address === '' ? 'https://example.com' : address;
    throw new ModelError(
      'BAD_REQUEST',
      `The credential has no valid address in "${addressField ?? ''}". Write it in full, for example ${example}.`,
    );
  }
  const apiKey = wordOf(credential, 'apiKey');
  const apiVersion = wordOf(credential, 'apiVersion');
  const seconds = limitOf(options, 'timeout');
  const dimensions = numberField(options, 'dimensions');
  const batchSize = numberField(options, 'batchSize') ?? EMBEDDING_LIMITS.texts;
  return {
    endpoint: {
      format,
      baseUrl: baseUrlOf(options, own),
      model,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(apiVersion === undefined ? {} : { apiVersion }),
      headers: headersOf(credential),
      allowedHosts: allowedHosts ?? [hostOf(own)],
    },
    settings: {
      batchSize: Math.min(EMBEDDING_LIMITS.texts, Math.max(1, Math.floor(batchSize))),
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(seconds === undefined ? {} : { timeoutMs: seconds * 1_000 }),
    },
    stripsNewLines: booleanField(options, 'stripNewLines') ?? stripsNewLines,
  };
}
