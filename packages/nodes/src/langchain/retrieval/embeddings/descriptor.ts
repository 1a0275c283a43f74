import type { KindDescriptor } from '@weft/node-catalogue';
import { choice, text } from '../../../descriptors/build-parameters';
import { flag, modelKind, type ModelKind, modelName, number, optionsOf } from '../../models/descriptor-parts';

/** A sub-node that provides an embedding model. @param kind the name without its prefix */
const embeddingKind = (kind: string, facts: ModelKind): KindDescriptor => ({
  ...modelKind(kind, facts),
  provides: [{ type: 'ai_embedding' }],
  differs: [
    'A request has at most 96 strings and 512 KB. Records show the strings of each request, and no vectors.',
    'Requests count towards `MODEL_CALLS`, and their tokens towards `MODEL_TOKENS`.',
    ...(facts.differs ?? []),
  ],
});

const BATCH_SIZE = number('batchSize', 'Batch size', 512, 'Texts of one request, at most 96.');
const STRIP = flag('stripNewLines', 'Strip new lines', true, 'Replaces line breaks by spaces before a text is sent.');
const TIMEOUT = number('timeout', 'Timeout (s)', -1, 'For one request with its retries; -1 for 300 s.');

export const embeddingsOpenAi = embeddingKind('embeddingsOpenAi', {
  label: 'Embeddings OpenAI',
  description: 'Makes embeddings with OpenAI, or a server with the same API.',
  versions: [1, 1.1, 1.2],
  credential: 'openAiApi',
  parameters: [
    { ...modelName('text-embedding-ada-002'), until: 1 },
    { ...modelName('text-embedding-3-small'), since: 1.1 },
    optionsOf(
      number('dimensions', 'Dimensions', 1536, 'Length of the vectors. Only newer models have a choice.'),
      {
        ...text('baseURL', 'Base URL', 'https://api.openai.com/v1'),
        until: 1.1,
        help: 'On another host than that of the credential, the credential must allow the host.',
      },
      BATCH_SIZE,
      STRIP,
      TIMEOUT,
      {
        name: 'encodingFormat',
        label: 'Encoding format',
        type: 'options',
        default: 'float',
        help: 'Has no effect: vectors are always requested as numbers.',
        options: [choice('float', 'Float'), choice('base64', 'Base64')],
      },
    ),
  ],
});

export const embeddingsAzureOpenAi = embeddingKind('embeddingsAzureOpenAi', {
  label: 'Embeddings Azure OpenAI',
  description: 'Makes embeddings with a deployment at Azure.',
  credential: 'azureOpenAiApi',
  parameters: [
    { ...text('model', 'Model (deployment) name'), required: true, help: 'Name of the deployment.' },
    optionsOf(
      number('dimensions', 'Dimensions', 1536, 'Length of the vectors. Only newer models have a choice.'),
      BATCH_SIZE,
      STRIP,
      TIMEOUT,
    ),
  ],
});

export const embeddingsMistralCloud = embeddingKind('embeddingsMistralCloud', {
  label: 'Embeddings Mistral Cloud',
  description: 'Makes embeddings with Mistral.',
  credential: 'mistralCloudApi',
  parameters: [modelName('mistral-embed'), optionsOf(BATCH_SIZE, STRIP)],
});

export const embeddingsGoogleGemini = embeddingKind('embeddingsGoogleGemini', {
  label: 'Embeddings Google Gemini',
  description: 'Makes embeddings with Google Gemini.',
  credential: 'googlePalmApi',
  parameters: [modelName('models/gemini-embedding-001', 'modelName')],
});

export const embeddingsOllama = embeddingKind('embeddingsOllama', {
  label: 'Embeddings Ollama',
  description: 'Makes embeddings on a server of Ollama.',
  credential: 'ollamaApi',
  differs: ['Addresses of private networks are blocked unless `OUTBOUND_ALLOW` permits them.'],
  parameters: [modelName('llama3.2')],
});

export const embeddingsCohere = embeddingKind('embeddingsCohere', {
  label: 'Embeddings Cohere',
  description: 'Makes embeddings with Cohere.',
  credential: 'cohereApi',
  parameters: [
    {
      ...text('modelName', 'Model', 'embed-english-v2.0'),
      required: true,
      help: 'Name of the model at the service.',
    },
  ],
});
