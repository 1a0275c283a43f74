import { EMBEDDING_CODECS } from './codecs';
import type { EmbeddingEndpoint, EmbeddingFormat } from './embedding-model';
import { embeddingOfNode } from '../kinds/embedding-of-node';

const endpointOf = (format: EmbeddingFormat): EmbeddingEndpoint => ({
  format,
  baseUrl: 'https://models.example',
  model: 'm',
  apiKey: 'sk-0123456789',
});

describe('a request for vectors', () => {
  it('of Cohere and Gemini says whether the strings are documents or a query', () => {
    const built = (format: EmbeddingFormat, purpose: 'document' | 'query'): string =>
      JSON.stringify(EMBEDDING_CODECS[format].build(['a'], purpose, endpointOf(format), {}).body);
    expect(built('cohere', 'document')).toContain('"input_type":"search_document"');
    expect(built('cohere', 'query')).toContain('"input_type":"search_query"');
    expect(built('gemini', 'document')).toContain('"taskType":"RETRIEVAL_DOCUMENT"');
    expect(built('gemini', 'query')).toContain('"taskType":"RETRIEVAL_QUERY"');
  });

  it('of OpenAI has the wanted dimensions only if there are some', () => {
    const { build } = EMBEDDING_CODECS.openai;
    expect(build(['a'], 'query', endpointOf('openai'), { dimensions: 256 }).body).toMatchObject({ dimensions: 256 });
    expect(build(['a'], 'query', endpointOf('openai'), {}).body).not.toHaveProperty('dimensions');
  });

  it('of a model name with a slash stays below the path of models', () => {
    const { path } = EMBEDDING_CODECS.gemini.build(['a'], 'query', { ...endpointOf('gemini'), model: '../x' }, {});
    expect(path).toBe('/v1beta/models/..%2Fx:batchEmbedContents');
  });
});

describe('a response with vectors', () => {
  it('of OpenAI is read by the index of its entries', () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ];
    expect(EMBEDDING_CODECS.openai.vectors({ data })).toEqual([[1], [2]]);
  });

  it('of Cohere has the tokens that were billed', () => {
    const body = { embeddings: [[1]], meta: { billed_units: { input_tokens: 3 } } };
    expect(EMBEDDING_CODECS.cohere.vectors(body)).toEqual([[1]]);
    expect(EMBEDDING_CODECS.cohere.tokens(body)).toBe(3);
  });
});

describe('the service of an embedding node', () => {
  const node = (kind: string, parameters = {}) => ({ kind, typeVersion: 1, parameters });

  it('has the address of the credential, and lets the key go there alone', () => {
    const credential = { apiKey: 'k', url: 'https://gate.example/v1' };
    expect(embeddingOfNode(node('embeddingsOpenAi', { model: 'm' }), credential).endpoint).toMatchObject({
      baseUrl: 'https://gate.example/v1',
      allowedHosts: ['gate.example'],
    });
    const other = node('embeddingsOpenAi', { model: 'm', options: { baseURL: 'https://other.example/v1' } });
    expect(embeddingOfNode(other, credential).endpoint).toMatchObject({
      baseUrl: 'https://other.example/v1',
      allowedHosts: ['gate.example'],
    });
  });

  it.each([
    ['embeddingsCohere', 'https://api.cohere.com'],
    ['embeddingsMistralCloud', 'https://api.mistral.ai/v1'],
  ])('of %s has a fixed address', (kind, baseUrl) => {
    const parameters = { model: 'm', modelName: 'm' };
    expect(embeddingOfNode(node(kind, parameters), { url: 'https://x.example' }).endpoint.baseUrl).toBe(baseUrl);
  });

  it('of Azure is a deployment of a resource, an address or a project', () => {
    const azure = node('embeddingsAzureOpenAi', { model: 'my emb', options: { dimensions: 256 } });
    const credential = { resourceName: 'acme', apiKey: 'k', apiVersion: '2025-03-01' };
    const { endpoint, settings } = embeddingOfNode(azure, credential);
    expect(endpoint).toMatchObject({
      baseUrl: 'https://acme.openai.azure.com',
      allowedHosts: ['acme.openai.azure.com'],
    });
    const built = EMBEDDING_CODECS[endpoint.format].build(['a'], 'query', endpoint, settings);
    expect(built).toEqual({
      path: '/openai/deployments/my%20emb/embeddings?api-version=2025-03-01',
      body: { input: ['a'], encoding_format: 'float', dimensions: 256 },
      key: [['api-key', 'k']],
    });
    const own = embeddingOfNode(azure, { ...credential, endpoint: 'https://azure.example' });
    expect(own.endpoint.baseUrl).toBe('https://azure.example');
    const foundryEndpoint = 'https://acme.services.example/openai/v1';
    const project = embeddingOfNode(azure, { ...credential, endpointType: 'foundry', foundryEndpoint });
    expect(project.endpoint).toMatchObject({ format: 'openai', baseUrl: foundryEndpoint });
    expect(() => embeddingOfNode(azure, { apiKey: 'k' })).toThrow('no valid address in "endpoint"');
  });

  it('is refused without a model', () => {
    expect(() => embeddingOfNode(node('embeddingsCohere'), {})).toThrow('The node has no value in "modelName"');
  });
});
