import {
  isJsonObject,
  type Json,
  type JsonObject,
  listField,
  numberField,
  objectField,
} from '@weft/service-kit/json-values';
import { ModelError } from '../model-error';
import type { EmbeddingEndpoint, EmbeddingFormat, EmbeddingPurpose, EmbeddingSettings } from './embedding-model';

/** A request to a service. */
export interface EmbeddingRequest {
  /** Below the base URL. */
  readonly path: string;
  readonly body: JsonObject;
  readonly key: readonly (readonly [string, string])[];
}

/** One protocol: pure functions between strings and bodies. */
export interface EmbeddingCodec {
  build(
    texts: readonly string[],
    purpose: EmbeddingPurpose,
    endpoint: EmbeddingEndpoint,
    settings: EmbeddingSettings,
  ): EmbeddingRequest;
  /** The entries that should be vectors, in the order of the strings. Not checked. */
  vectors(body: JsonObject): readonly Json[];
  /** Tokens, if the service reports them. */
  tokens(body: JsonObject): number | undefined;
}

const bearer = ({ apiKey = '' }: EmbeddingEndpoint): EmbeddingRequest['key'] =>
  apiKey === '' ? [] : [['authorization', `Bearer ${apiKey}`]];

const openai: EmbeddingCodec = {
  build: (texts, _purpose, endpoint, { dimensions }) => ({
    path: '/embeddings',
    body: {
      model: endpoint.model,
      input: [...texts],
      encoding_format: 'float',
      ...(dimensions === undefined ? {} : { dimensions }),
    },
    key: bearer(endpoint),
  }),
  vectors: (body) => inOrder(listField(body, 'data')).map((entry) => partOf(entry, 'embedding')),
  tokens: (body) =>
    numberField(objectField(body, 'usage'), 'prompt_tokens') ?? numberField(objectField(body, 'usage'), 'total_tokens'),
};

/** The name of the model is that of its deployment, in the path. */
const azure: EmbeddingCodec = {
  ...openai,
  build: (texts, _purpose, { model, apiKey = '', apiVersion = '' }, { dimensions }) => {
    if (apiVersion === '')
      throw new ModelError('UNSUPPORTED', 'The credential for Azure OpenAI has no API version. Set it.');
    const path = `/openai/deployments/${encodeURIComponent(model)}/embeddings`;
    return {
      path: `${path}?api-version=${encodeURIComponent(apiVersion)}`,
      body: { input: [...texts], encoding_format: 'float', ...(dimensions === undefined ? {} : { dimensions }) },
      key: apiKey === '' ? [] : [['api-key', apiKey]],
    };
  },
};

const gemini: EmbeddingCodec = {
  build: (texts, purpose, { model, apiKey = '' }) => {
    const name = model.startsWith('models/') ? model : `models/${model}`;
    return {
      path: `/v1beta/models/${encodeURIComponent(name.slice('models/'.length))}:batchEmbedContents`,
      body: {
        requests: texts.map((text) => ({
          model: name,
          content: { role: 'user', parts: [{ text }] },
          taskType: purpose === 'query' ? 'RETRIEVAL_QUERY' : 'RETRIEVAL_DOCUMENT',
        })),
      },
      key: apiKey === '' ? [] : [['x-goog-api-key', apiKey]],
    };
  },
  vectors: (body) => listField(body, 'embeddings').map((entry) => partOf(entry, 'values')),
  tokens: () => undefined,
};

const ollama: EmbeddingCodec = {
  build: (texts, _purpose, endpoint) => ({
    path: '/api/embed',
    body: { model: endpoint.model, input: [...texts] },
    key: bearer(endpoint),
  }),
  vectors: (body) => listField(body, 'embeddings'),
  tokens: (body) => numberField(body, 'prompt_eval_count'),
};

const cohere: EmbeddingCodec = {
  build: (texts, purpose, endpoint) => ({
    path: '/v1/embed',
    body: {
      model: endpoint.model,
      texts: [...texts],
      input_type: purpose === 'query' ? 'search_query' : 'search_document',
      truncate: 'END',
    },
    key: bearer(endpoint),
  }),
  vectors: (body) => listField(body, 'embeddings'),
  tokens: (body) => numberField(objectField(objectField(body, 'meta'), 'billed_units'), 'input_tokens'),
};

/** Codecs by format. */
export const EMBEDDING_CODECS: Readonly<Record<EmbeddingFormat, EmbeddingCodec>> = {
  openai,
  azure,
  gemini,
  ollama,
  cohere,
};

const partOf = (entry: Json, name: string): Json => (isJsonObject(entry) ? (entry[name] ?? null) : null);

/** Some servers return the entries in another order, with their index. */
function inOrder(entries: readonly Json[]): readonly Json[] {
  if (!entries.every((entry) => numberField(entry, 'index') !== undefined)) return entries;
  return entries.toSorted((a, b) => (numberField(a, 'index') ?? 0) - (numberField(b, 'index') ?? 0));
}
