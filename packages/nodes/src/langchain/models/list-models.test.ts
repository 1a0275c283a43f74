import type { JsonObject } from '@weft/node-catalogue';
import { OutboundError, type OutboundRequest } from '@weft/outbound';
import { listNodeOptions, type OptionsRequest } from '../../app/options';

const KEY = 'sk-test-0123456789abcdef';
const TYPE = '@n8n/n8n-nodes-langchain.lmChatOpenAi';

/** Lists models of a service that gives an answer. */
const list = async (
  type: string,
  request: Partial<OptionsRequest>,
  answer: { readonly body?: string; readonly status?: number; readonly error?: Error } = {},
) => {
  const sent: OutboundRequest[] = [];
  const result = await listNodeOptions(
    type,
    { version: undefined, list: 'models', parameters: {}, credential: undefined, search: '', cursor: '', ...request },
    {
      now: () => 0,
      sleep: () => Promise.resolve(),
      http: {
        request: async (one) => {
          sent.push(one);
          if (answer.error !== undefined) throw answer.error;
          const { body = '{}', status = 200 } = answer;
          return { status, statusText: '', headers: {}, body: Buffer.from(body), url: one.url };
        },
      },
    },
    new AbortController().signal,
  );
  return { result, sent };
};

const openAi = (data: JsonObject = {}): OptionsRequest['credential'] => ({
  type: 'openAiApi',
  data: { apiKey: KEY, ...data },
});
const models = (...ids: readonly string[]): string => JSON.stringify({ data: ids.map((id) => ({ id })) });

describe('the models of a node for a form', () => {
  it('are those of the account, in order, found by a search', async () => {
    const body = models('o3', 'gpt-4o', 'gpt-5');
    const { result, sent } = await list(TYPE, { credential: openAi() }, { body });
    expect(result).toEqual({
      kind: 'options',
      options: ['gpt-4o', 'gpt-5', 'o3'].map((id) => ({ label: id, value: id })),
      nextCursor: '',
    });
    expect(sent[0]).toMatchObject({ method: 'GET', url: 'https://api.openai.com/v1/models', followRedirects: false });
    expect(sent[0]?.headers).toContainEqual(['Authorization', `Bearer ${KEY}`]);
    const searched = await list(TYPE, { credential: openAi(), search: ' GPT-5 ' }, { body });
    expect(searched.result).toMatchObject({ options: [{ value: 'gpt-5' }] });
  });

  it.each<[string, string, JsonObject, string, JsonObject, JsonObject]>([
    [
      'lmChatAnthropic',
      'anthropicApi',
      { url: 'https://gate.example/' },
      'https://gate.example/v1/models?limit=1000',
      { data: [{ id: 'claude-sonnet-5', display_name: 'Claude Sonnet 5' }] },
      { label: 'Claude Sonnet 5', value: 'claude-sonnet-5' },
    ],
    [
      'lmChatGoogleGemini',
      'googlePalmApi',
      {},
      `https://generativelanguage.googleapis.com/v1beta/models?pageSize=1000&key=${KEY}`,
      { models: [{ name: 'models/gemini-2.5-flash', displayName: 'Gemini 2.5 Flash' }] },
      { label: 'Gemini 2.5 Flash', value: 'models/gemini-2.5-flash' },
    ],
    [
      'lmChatOllama',
      'ollamaApi',
      { baseUrl: 'http://10.0.0.5:11434' },
      'http://10.0.0.5:11434/api/tags',
      { models: [{ name: 'llama3.2' }] },
      { label: 'llama3.2', value: 'llama3.2' },
    ],
    [
      'lmChatGroq',
      'groqApi',
      { url: 'https://elsewhere.example' },
      'https://api.groq.com/openai/v1/models',
      { data: [{ id: 'llama' }, { id: '' }, {}] },
      { label: 'llama', value: 'llama' },
    ],
  ])('of %s are at the address of the credential', async (kind, type, data, url, body, option) => {
    const { result, sent } = await list(
      `@n8n/n8n-nodes-langchain.${kind}`,
      { credential: { type, data: { apiKey: KEY, ...data } } },
      { body: JSON.stringify(body) },
    );
    expect(sent.map((one) => one.url)).toEqual([url]);
    expect(result).toMatchObject({ kind: 'options', options: [option] });
  });

  it('come in pages', async () => {
    const body = models(...Array.from({ length: 130 }, (_, at) => `m${String(at).padStart(3, '0')}`));
    const { result: first } = await list(TYPE, { credential: openAi() }, { body });
    if (first?.kind !== 'options') throw new Error('There are no options.');
    const { result: second } = await list(TYPE, { credential: openAi(), cursor: first.nextCursor }, { body });
    expect(first.options).toHaveLength(100);
    expect(second).toMatchObject({
      options: expect.arrayContaining([{ label: 'm129', value: 'm129' }]),
      nextCursor: '',
    });
  });

  it.each([
    [{ credential: openAi(), list: 'x' }, {}, 'list', 'no list with this name'],
    [{}, {}, 'credentialId', 'A credential of type openAiApi is required.'],
    [{ credential: { type: 'groqApi', data: {} } }, {}, 'credentialId', 'openAiApi'],
    [{ credential: openAi(), cursor: '!' }, {}, 'cursor', 'nextCursor'],
    [{ credential: openAi() }, { status: 401, body: KEY }, 'list', 'The service answered 401. Check the credential'],
    [{ credential: openAi() }, { body: '<html>' }, 'list', 'not JSON'],
    [{ credential: openAi({ url: 'my server' }) }, {}, 'list', 'URL'],
    [{ credential: openAi() }, { error: new OutboundError('TIMEOUT', KEY) }, 'list', 'The connection was aborted'],
  ])('are refused for %j and %j, with what to do and without the key', async (request, answer, field, message) => {
    const { result } = await list(TYPE, request, answer);
    expect(result).toMatchObject({ kind: 'refused', field, message: expect.stringContaining(message) });
    expect(JSON.stringify(result)).not.toContain(KEY);
  });

  it('do not exist for deployments of Azure', async () => {
    const credential = { type: 'azureOpenAiApi', data: { apiKey: KEY } };
    const { result } = await list('@n8n/n8n-nodes-langchain.lmChatAzureOpenAi', { credential });
    expect(result).toMatchObject({ kind: 'refused', field: 'list' });
  });
});
