import type { JsonObject } from '@weft/service-kit/json-values';
import { ModelError } from '../model-error';
import { MODEL_KINDS, modelOfNode } from './model-of-node';

const KEY = { apiKey: 'sk-1' };

const of = (kind: string, parameters: JsonObject, credential: JsonObject = KEY, typeVersion = 1) =>
  modelOfNode({ kind, typeVersion, parameters }, credential);

describe('the model of a node', () => {
  it.each([1, 1.1, 1.2])('of lmChatOpenAi %s speaks openai-chat', (typeVersion) => {
    const model = typeVersion < 1.2 ? 'gpt-4o' : { __rl: true, mode: 'list', value: 'gpt-4o' };
    expect(of('lmChatOpenAi', { model }, KEY, typeVersion)).toEqual({
      endpoint: {
        format: 'openai-chat',
        vendor: 'openai',
        baseUrl: 'https://api.openai.com/v1',
        model: 'gpt-4o',
        apiKey: 'sk-1',
        headers: [],
        allowedHosts: ['api.openai.com'],
      },
      settings: {},
    });
  });

  it('of lmChatOpenAi 1.3 speaks openai-responses, unless that is turned off', () => {
    const model = { value: 'gpt-5' };
    expect(of('lmChatOpenAi', { model }, KEY, 1.3).endpoint).toMatchObject({ format: 'openai-responses' });
    expect(of('lmChatOpenAi', { model, responsesApiEnabled: false }, KEY, 1.3).endpoint).toMatchObject({
      format: 'openai-chat',
      vendor: 'openai',
    });
  });

  it('has the options of the chat kinds, without those that mean no limit', () => {
    const options = {
      temperature: 0,
      topP: 1,
      maxTokens: -1,
      frequencyPenalty: 0.3,
      presencePenalty: -1,
      responseFormat: 'json_object',
      reasoningEffort: 'low',
      timeout: 30_000,
      maxRetries: 0,
    };
    expect(of('lmChatDeepSeek', { model: 'deepseek-chat', options }).settings).toEqual({
      temperature: 0,
      topP: 1,
      frequencyPenalty: 0.3,
      presencePenalty: -1,
      json: true,
      reasoningEffort: 'low',
      timeoutMs: 30_000,
      maxRetries: 0,
    });
    expect(of('lmChatGroq', { model: 'x', options: { maxTokensToSample: 9 } }).settings).toEqual({ maxTokens: 9 });
  });

  it('has the options that only one service has', () => {
    const providerRouting = { order: 'a, b', zdr: true, sort: 'price', only: '', allowFallbacks: false };
    expect(of('lmChatOpenRouter', { model: 'm', options: { providerRouting } }).settings).toEqual({
      body: { provider: { order: ['a', 'b'], zdr: true, sort: 'price', allow_fallbacks: false } },
    });
    const mistral = { safeMode: true, randomSeed: 4 };
    expect(of('lmChatMistralCloud', { model: 'm', options: mistral }).settings).toEqual({
      seed: 4,
      body: { safe_prompt: true },
    });
  });

  it.each<[string, JsonObject, string]>([
    ['lmChatMoonshot', {}, 'https://api.moonshot.ai/v1'],
    ['lmChatMoonshot', { region: 'china' }, 'https://api.moonshot.cn/v1'],
    ['lmChatMoonshot', { region: 'china', url: 'https://gate.example/v1' }, 'https://gate.example/v1'],
    ['lmChatMinimax', { region: 'china' }, 'https://api.minimaxi.com/v1'],
    ['lmChatAlibabaCloud', { region: 'us-east-1' }, 'https://dashscope-us.aliyuncs.com/compatible-mode/v1'],
    [
      'lmChatAlibabaCloud',
      { region: 'eu-central-1', workspaceId: 'w1' },
      'https://w1.eu-central-1.maas.aliyuncs.com/compatible-mode/v1',
    ],
    ['lmChatNvidia', { url: 'http://nim.example:8000/v1' }, 'http://nim.example:8000/v1'],
    ['lmChatCohere', {}, 'https://api.cohere.ai/compatibility/v1'],
    ['lmChatLemonade', { baseUrl: 'http://10.0.0.5:8000/api/v1' }, 'http://10.0.0.5:8000/api/v1'],
  ])('of %s with %j is at %s, and its key goes there alone', (kind, credential, baseUrl) => {
    const { endpoint } = of(kind, { model: 'm' }, { ...KEY, ...credential });
    expect(endpoint).toMatchObject({ format: 'openai-chat', baseUrl, allowedHosts: [new URL(baseUrl).host] });
  });

  it('of MiniMax has its thinking apart from the text, unless the node wants it there', () => {
    expect(of('lmChatMinimax', { model: 'm' }).settings).toEqual({ body: { reasoning_split: true } });
    expect(of('lmChatMinimax', { model: 'm', options: { hideThinking: false } }).settings).toEqual({});
  });

  it('of Lemonade ends at the strings of the node', () => {
    const options = { stop: 'a, b', maxTokens: 0 };
    expect(of('lmChatLemonade', { model: 'm', options }).settings).toEqual({ stop: ['a', 'b'] });
  });

  it('of xAI has its word for the effort, and its priority', () => {
    expect(of('lmChatXAiGrok', { model: 'grok', options: { reasoning: 'high', priority: true } }).settings).toEqual({
      reasoningEffort: 'high',
      body: { service_tier: 'priority' },
    });
  });

  it.each([1.2, 1.3])('of OpenAI %s has the fields that the user adds, which win', (version) => {
    const options = { extraBody: '{"user":"u1","service_tier":"flex"}', serviceTier: 'auto' };
    const { settings } = of('lmChatOpenAi', { model: { value: 'gpt-5' }, options }, KEY, version);
    expect(settings.body).toEqual({ user: 'u1', service_tier: 'flex' });
    for (const [extraBody, reason] of [
      ['[1]', 'must be a JSON object'],
      ['{', 'is not valid JSON'],
    ] as const)
      expect(() => of('lmChatOpenAi', { model: { value: 'm' }, options: { extraBody } }, KEY, version)).toThrow(
        `"Extra Body" ${reason}`,
      );
  });

  it('has the options and built-in tools of the Responses API', () => {
    const parameters = {
      model: { value: 'gpt-5' },
      builtInTools: {
        webSearch: { searchContextSize: 'low', allowedDomains: 'a.com, b.com', country: 'CH' },
        fileSearch: { vectorStoreIds: '["vs_1"]', filters: '{}', maxResults: 5 },
        codeInterpreter: true,
      },
      options: {
        conversationId: 'conv_1',
        metadata: '{"team":"a"}',
        serviceTier: 'flex',
        textFormat: {
          textOptions: [
            { type: 'json_schema', name: 'n', schema: '{"type":"object"}', strict: true, verbosity: 'low' },
          ],
        },
        promptConfig: { promptOptions: { promptId: 'p', version: '2', variables: '{"x":"y"}' } },
      },
    };
    expect(of('lmChatOpenAi', parameters, KEY, 1.3).settings).toEqual({
      body: {
        conversation: 'conv_1',
        service_tier: 'flex',
        metadata: { team: 'a' },
        text: {
          verbosity: 'low',
          format: { type: 'json_schema', name: 'n', schema: { type: 'object' }, strict: true },
        },
        prompt: { id: 'p', version: '2', variables: { x: 'y' } },
        tools: [
          {
            type: 'web_search',
            search_context_size: 'low',
            user_location: { type: 'approximate', country: 'CH' },
            filters: { allowed_domains: ['a.com', 'b.com'] },
          },
          { type: 'code_interpreter', container: { type: 'auto' } },
          { type: 'file_search', vector_store_ids: ['vs_1'], max_num_results: 5 },
        ],
      },
    });
    const older = { ...parameters, options: { responseFormat: 'json_object' } };
    expect(of('lmChatOpenAi', older, KEY, 1.3).settings.json).toBeUndefined();
    const broken = { ...parameters, options: { metadata: '{' } };
    expect(() => of('lmChatOpenAi', broken, KEY, 1.3)).toThrow('The option "Metadata" is not valid JSON');
  });

  it('of Anthropic thinks with a budget and without other options, or has them', () => {
    const options = { maxTokensToSample: 9_000, temperature: 0.5, topK: -1, topP: 0.9 };
    expect(of('lmChatAnthropic', { model: 'claude', options }).settings).toEqual({
      maxTokens: 9_000,
      temperature: 0.5,
      topP: 0.9,
    });
    expect(of('lmChatAnthropic', { model: 'claude', options: { ...options, thinking: true } }).settings).toEqual({
      maxTokens: 9_000,
      thinkingTokens: 1_024,
    });
    const credential = {
      ...KEY,
      url: 'https://gate.example.com',
      header: true,
      headerName: 'x-team',
      headerValue: 'a',
    };
    expect(of('lmChatAnthropic', { model: { value: 'claude' } }, credential, 1.3).endpoint).toMatchObject({
      baseUrl: 'https://gate.example.com',
      headers: [['x-team', 'a']],
      allowedHosts: ['gate.example.com'],
    });
  });

  it('of Anthropic from 1.5 on has a mode of thinking, and no other option with it', () => {
    const settings = (options: JsonObject, version: number) =>
      of('lmChatAnthropic', { model: { value: 'claude' }, options }, KEY, version).settings;
    const rest = { temperature: 0.5, topK: 3, thinkingBudget: 2_000 };
    expect(settings({ ...rest, thinkingMode: 'adaptive', effort: 'high' }, 1.6)).toEqual({
      reasoningEffort: 'high',
      body: { thinking: { type: 'adaptive' } },
    });
    expect(settings({ ...rest, thinkingMode: 'manual', thinking: false }, 1.5)).toEqual({ thinkingTokens: 2_000 });
    expect(settings({ ...rest, thinkingMode: 'disabled' }, 1.5)).toEqual({
      temperature: 0.5,
      topK: 3,
      body: { thinking: { type: 'disabled' } },
    });
    expect(settings({ ...rest, thinkingMode: 'adaptive' }, 1.4)).toEqual({ temperature: 0.5, topK: 3 });
  });

  it('of Anthropic keeps prompts for the time that the node names', () => {
    const settings = (promptCaching: string) =>
      of('lmChatAnthropic', { model: 'claude', options: { promptCaching } }).settings;
    expect(settings('1h')).toEqual({
      cachesPrompt: false,
      body: { cache_control: { type: 'ephemeral', ttl: '1h' } },
    });
    expect(settings('disabled')).toEqual({ cachesPrompt: false });
  });

  it('of Gemini has safety settings', () => {
    const values = [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }, { category: 'x' }];
    const options = { maxOutputTokens: 100, topK: 40, safetySettings: { values } };
    const { endpoint, settings } = of('lmChatGoogleGemini', { modelName: 'models/gemini-2.5-flash', options });
    expect(endpoint).toMatchObject({ format: 'gemini', model: 'models/gemini-2.5-flash' });
    expect(settings).toEqual({ maxTokens: 100, topK: 40, body: { safetySettings: values.slice(0, 1) } });
  });

  it('of Ollama has the options of the server', () => {
    const options = {
      numCtx: 8_192,
      keepAlive: '10m',
      useMMap: false,
      numPredict: -1,
      format: 'json',
      repeatPenalty: 1.1,
      think: false,
    };
    const { endpoint, settings } = of(
      'lmChatOllama',
      { model: 'llama3.2', options },
      { baseUrl: 'http://10.0.0.5:11434' },
    );
    expect(endpoint).toEqual({
      format: 'ollama',
      baseUrl: 'http://10.0.0.5:11434',
      model: 'llama3.2',
      headers: [],
      allowedHosts: ['10.0.0.5:11434'],
    });
    expect(settings).toEqual({
      maxTokens: -1,
      json: true,
      body: { options: { num_ctx: 8_192, repeat_penalty: 1.1, use_mmap: false }, keep_alive: '10m', think: false },
    });
  });

  it('of Azure is at the resource or at the endpoint', () => {
    const credential = { ...KEY, resourceName: 'acme', apiVersion: '2025-03-01' };
    expect(of('lmChatAzureOpenAi', { model: 'my-gpt' }, credential).endpoint).toMatchObject({
      vendor: 'azure',
      baseUrl: 'https://acme.openai.azure.com',
      apiVersion: '2025-03-01',
    });
    const own = { ...credential, endpoint: 'https://azure.example.com' };
    expect(of('lmChatAzureOpenAi', { model: 'my-gpt' }, own).endpoint.baseUrl).toBe('https://azure.example.com');
    const foundryEndpoint = 'https://acme.services.ai.azure.com/openai/v1';
    const foundry = { ...credential, endpointType: 'foundry', foundryEndpoint };
    expect(of('lmChatAzureOpenAi', { model: 'my-gpt' }, foundry).endpoint).toMatchObject({
      vendor: 'foundry',
      baseUrl: foundryEndpoint,
      allowedHosts: ['acme.services.ai.azure.com'],
    });
    expect(() => of('lmChatAzureOpenAi', { model: 'my-gpt' }, { ...foundry, foundryEndpoint: '' })).toThrow(
      'no valid address in "foundryEndpoint"',
    );
  });

  it('at another address than OpenAI speaks the older dialect, and its key goes to the host of the credential', () => {
    const { endpoint } = of('lmChatOpenAi', { model: 'm', options: { baseURL: 'https://other.example.com/v1' } });
    expect(endpoint).toMatchObject({
      vendor: 'compatible',
      baseUrl: 'https://other.example.com/v1',
      allowedHosts: ['api.openai.com'],
    });
    const credential = { ...KEY, url: 'https://other.example.com/v1' };
    expect(of('lmChatOpenAi', { model: 'm' }, credential).endpoint.allowedHosts).toEqual(['other.example.com']);
  });

  it('is refused without a model, without an address or of an unknown kind, with what to do', () => {
    expect(() => of('lmChatOpenAi', { model: ' ' })).toThrow('The node has no value in "model". Choose a model.');
    expect(() => of('lmChatGoogleGemini', {})).toThrow('"modelName"');
    expect(() => of('lmChatAzureOpenAi', { model: 'm' })).toThrow('no valid address in "endpoint"');
    expect(() => of('toString', { model: 'm' })).toThrow(ModelError);
    expect(() => of('lmChatOpenAi', { model: 'm', options: { baseURL: 'my server' } })).toThrow('"Base URL" is not');
  });

  it('is known for every kind with a model', () => {
    for (const kind of MODEL_KINDS.filter((name) => name !== 'lmChatAzureOpenAi'))
      expect(of(kind, { model: 'm', modelName: 'm' }).endpoint.model).toBe('m');
  });
});
