import type { ChatCall, ChatMessage, ContentPart, ModelFormat } from '../chat-model';
import { CODECS } from '../client/create-chat-model';
import { ModelError } from '../model-error';
import { VENDORS, type Vendor } from './openai-chat/vendors';

const build = (
  format: ModelFormat,
  call: Partial<ChatCall>,
  more: { vendor?: Vendor; model?: string; apiVersion?: string } = {},
) => CODECS[format].build({ messages: [], ...call }, { format, baseUrl: 'http://x', model: 'm', ...more });

const chat = (vendor: Vendor, call: Partial<ChatCall>) => build('openai-chat', call, { vendor }).body;

const PNG: ContentPart = { type: 'file', mimeType: 'image/png', data: 'AAAA' };
const PDF: ContentPart = { type: 'file', mimeType: 'application/pdf', data: 'BBBB', name: 'a.pdf' };
const WAV: ContentPart = { type: 'file', mimeType: 'audio/wav', data: 'CCCC' };
const LINK: ContentPart = { type: 'fileUrl', mimeType: 'image/jpeg', url: 'https://example.com/a.jpg' };
const asking = (...content: ContentPart[]): readonly ChatMessage[] => [{ role: 'user', content }];

const SETTINGS = {
  temperature: 0.5,
  topP: 0.9,
  topK: 40,
  maxTokens: 100,
  stop: ['END'],
  frequencyPenalty: 0.1,
  presencePenalty: 0.2,
  seed: 7,
};

describe('requests in openai-chat', () => {
  it('have every setting under the name of the service', () => {
    const rest = { temperature: 0.5, top_p: 0.9, stop: ['END'], frequency_penalty: 0.1, presence_penalty: 0.2 };
    const base = { model: 'm', messages: [] };
    expect(chat('openai', { settings: SETTINGS })).toEqual({ ...base, ...rest, max_completion_tokens: 100, seed: 7 });
    expect(chat('mistral', { settings: SETTINGS })).toEqual({ ...base, ...rest, max_tokens: 100, random_seed: 7 });
    expect(chat('openrouter', { settings: SETTINGS })).toEqual({
      ...base,
      ...rest,
      max_tokens: 100,
      seed: 7,
      top_k: 40,
    });
  });

  it.each<[Vendor, object]>([
    ['openai', { reasoning_effort: 'low', stream_options: { include_usage: true } }],
    ['azure', { reasoning_effort: 'low', stream_options: { include_usage: true } }],
    ['openrouter', { reasoning: { effort: 'low' }, stream_options: { include_usage: true } }],
    ['groq', { reasoning_effort: 'low', stream_options: { include_usage: true } }],
    ['mistral', { reasoning_effort: 'low' }],
  ])('ask %s for thinking and for usage in its way', (vendor, fields) => {
    const onDelta = (): void => undefined;
    const endpoint = vendor === 'azure' ? { vendor, apiVersion: '2025-03-01-preview' } : { vendor };
    const { body } = build('openai-chat', { settings: { reasoningEffort: 'low' }, onDelta }, endpoint);
    expect(body).toEqual({ model: 'm', messages: [], stream: true, ...fields });
  });

  it('go to the deployment with azure, which needs a version', () => {
    const { path } = build('openai-chat', {}, { vendor: 'azure', model: 'my gpt', apiVersion: '2025-03-01' });
    expect(path).toBe('/openai/deployments/my%20gpt/chat/completions?api-version=2025-03-01');
    expect(() => build('openai-chat', {}, { vendor: 'azure' })).toThrow('has no API version');
  });

  it('have a schema, any JSON, or words where the service enforces none', () => {
    const schema = { name: 'answer', schema: { type: 'object' }, strict: true };
    expect(chat('openai', { schema })['response_format']).toEqual({ type: 'json_schema', json_schema: schema });
    expect(chat('openai', { settings: { json: true } })['response_format']).toEqual({ type: 'json_object' });
    expect(chat('deepseek', { schema })).toMatchObject({
      messages: [{ role: 'system', content: expect.stringContaining('JSON Schema:\n{"type":"object"}') }],
      response_format: { type: 'json_object' },
    });
  });

  it('have files in the form of the service, or are refused before anything is sent', () => {
    expect(
      chat('openai', { messages: asking({ type: 'text', text: 'See' }, PNG, LINK, PDF, WAV) })['messages'],
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'image_url', image_url: { url: 'https://example.com/a.jpg' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' } },
          { type: 'input_audio', input_audio: { data: 'CCCC', format: 'wav' } },
        ],
      },
    ]);
    expect(JSON.stringify(chat('mistral', { messages: asking(PDF) }))).toContain(
      '"document_url":"data:application/pdf',
    );
    expect(() => chat('groq', { messages: asking(PDF) })).toThrow(ModelError);
    expect(() => chat('groq', { messages: asking(PDF) })).toThrow('Files of type "application/pdf" cannot be sent');
    const odd: ContentPart = { type: 'file', mimeType: 'constructor', data: 'AAAA' };
    expect(() => chat('groq', { messages: asking(odd) })).toThrow('Files of type "constructor" cannot be sent');
  });

  it('send back only what the same service needs', () => {
    const native = {
      format: 'openai-chat' as const,
      content: { reasoning_details: [{ type: 'x' }], reasoning_content: 'y' },
    };
    const messages: ChatMessage[] = [{ role: 'assistant', content: 'Hi', native }];
    const sent = (vendor: Vendor) => chat(vendor, { messages })['messages'];
    expect(sent('openai')).toEqual([{ role: 'assistant', content: 'Hi' }]);
    expect(sent('openrouter')).toEqual([{ role: 'assistant', content: 'Hi', reasoning_details: [{ type: 'x' }] }]);
    expect(sent('deepseek')).toEqual([{ role: 'assistant', content: 'Hi', reasoning_content: 'y' }]);
  });

  it('choose tools', () => {
    const tools = [{ name: 'f', parameters: {} }];
    const choice = (toolChoice: NonNullable<ChatCall['settings']>['toolChoice']) =>
      chat('openai', { tools, settings: toolChoice === undefined ? {} : { toolChoice } })['tool_choice'];
    expect([choice('auto'), choice('required'), choice('none'), choice({ name: 'f' }), choice(undefined)]).toEqual([
      'auto',
      'required',
      'none',
      { type: 'function', function: { name: 'f' } },
      undefined,
    ]);
  });

  it('have an address for every service but those of the user', () => {
    const without = Object.entries(VENDORS).filter(([, { baseUrl }]) => baseUrl === undefined);
    expect(without.map(([name]) => name)).toEqual(['compatible', 'azure', 'foundry']);
  });
});

describe('requests in openai-responses', () => {
  it('are not stored, have all settings, and tools as they are', () => {
    const { body, path } = build('openai-responses', {
      settings: { ...SETTINGS, reasoningEffort: 'high' },
      tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }],
      schema: { name: 'a', schema: {} },
    });
    expect(path).toBe('/responses');
    expect(body).toEqual({
      model: 'm',
      input: [],
      tools: [{ type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: false }],
      temperature: 0.5,
      top_p: 0.9,
      max_output_tokens: 100,
      reasoning: { effort: 'high' },
      text: { format: { type: 'json_schema', name: 'a', schema: {}, strict: false } },
      store: false,
      include: ['reasoning.encrypted_content'],
    });
  });

  it.each([
    ['gpt-4o-mini', false],
    ['gpt-5.2', true],
    ['gpt-5-chat-latest', false],
    ['o4-mini', true],
  ])('ask for encrypted thinking only from models that think (%s: %s)', (model, thinks) => {
    expect('include' in build('openai-responses', {}, { model }).body).toBe(thinks);
  });

  it('have the tools of the service next to those of the caller', () => {
    const tools = [{ name: 'f', parameters: {} }];
    const body = { tools: [{ type: 'web_search' }] };
    expect(build('openai-responses', { tools, settings: { body } }).body['tools']).toEqual([
      { type: 'function', name: 'f', parameters: {}, strict: false },
      { type: 'web_search' },
    ]);
  });

  it('have files, and leave out thinking that cannot be referred to', () => {
    const content = [
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'message', id: 'msg_1' },
    ];
    const native = { format: 'openai-responses' as const, content };
    const messages: ChatMessage[] = [...asking(PNG, PDF), { role: 'assistant', content: 'x', native }];
    expect(build('openai-responses', { messages }).body['input']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,BBBB' },
        ],
      },
      { type: 'message', id: 'msg_1' },
    ]);
    expect(() => build('openai-responses', { messages: asking(WAV) })).toThrow(ModelError);
  });
});

describe('requests in gemini', () => {
  it('have all settings, and the method for a stream', () => {
    const { path, body } = build(
      'gemini',
      {
        settings: { ...SETTINGS, thinkingTokens: 0, toolChoice: { name: 'f' }, body: { safetySettings: [] } },
        tools: [
          { name: 'f', description: 'd', parameters: { type: 'object', properties: { a: {} } } },
          { name: 'g', parameters: { type: 'object', properties: {} } },
        ],
        schema: { name: 'a', schema: { type: 'object' } },
        onDelta: () => undefined,
      },
      { model: 'models/gemini-2.5-flash' },
    );
    expect(path).toBe('/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse');
    expect(build('gemini', {}, { model: 'a?b' }).path).toBe('/v1beta/models/a%3Fb:generateContent');
    expect(body).toEqual({
      contents: [],
      tools: [
        {
          functionDeclarations: [
            { name: 'f', description: 'd', parametersJsonSchema: { type: 'object', properties: { a: {} } } },
            { name: 'g' },
          ],
        },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
      generationConfig: {
        temperature: 0.5,
        topP: 0.9,
        topK: 40,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        seed: 7,
        presencePenalty: 0.2,
        frequencyPenalty: 0.1,
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
        thinkingConfig: { thinkingBudget: 0 },
      },
      safetySettings: [],
    });
  });

  it('sign calls that another model made, where the model requires it', () => {
    const messages: ChatMessage[] = [
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', input: {} }] },
    ];
    const parts = (model: string) => build('gemini', { messages }, { model }).body['contents'];
    const call = { functionCall: { id: 'a', name: 'f', args: {} } };
    expect(parts('gemini-2.5-pro')).toEqual([{ role: 'model', parts: [call] }]);
    const signed = { ...call, thoughtSignature: 'skip_thought_signature_validator' };
    expect(parts('models/gemini-3-pro')).toEqual([{ role: 'model', parts: [signed] }]);
  });

  it('have files of any type', () => {
    expect(build('gemini', { messages: asking(PNG, WAV, LINK) }).body['contents']).toEqual([
      {
        role: 'user',
        parts: [
          { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
          { inlineData: { mimeType: 'audio/wav', data: 'CCCC' } },
          { fileData: { mimeType: 'image/jpeg', fileUri: 'https://example.com/a.jpg' } },
        ],
      },
    ]);
  });
});

describe('requests in anthropic', () => {
  it('have all settings, and a limit', () => {
    const { path, headers, body } = build('anthropic', {
      settings: SETTINGS,
      schema: { name: 'a', schema: { type: 'object' } },
    });
    expect(path).toBe('/v1/messages');
    expect(headers).toEqual([['anthropic-version', '2023-06-01']]);
    expect(body).toEqual({
      model: 'm',
      max_tokens: 100,
      messages: [],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ['END'],
      output_config: { format: { type: 'json_schema', schema: { type: 'object' } } },
    });
    expect(build('anthropic', {}).body['max_tokens']).toBe(4_096);
  });

  it('leave out what the service refuses together with thinking', () => {
    const { body } = build('anthropic', { settings: { ...SETTINGS, thinkingTokens: 2_000 } });
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2_000 } });
    expect(body).not.toHaveProperty('temperature');
    expect(body).not.toHaveProperty('top_k');
  });

  it.each([
    ['claude-3-7-sonnet-20250219', 'enabled'],
    ['claude-sonnet-4-20250514', 'enabled'],
    ['claude-opus-4-6', 'enabled'],
    ['claude-opus-4-7', 'adaptive'],
    ['claude-opus-4.8-fast', 'adaptive'],
    ['claude-sonnet-5', 'adaptive'],
    ['claude-haiku-4-5-20251001', 'enabled'],
    ['gateway-model', 'enabled'],
  ])('let %s think in its way (%s)', (model, type) => {
    const { body } = build('anthropic', { settings: { ...SETTINGS, thinkingTokens: 2_000 } }, { model });
    expect(body['thinking']).toMatchObject({ type });
    expect('temperature' in build('anthropic', { settings: SETTINGS }, { model }).body).toBe(type === 'enabled');
    expect('top_p' in body).toBe(type === 'enabled');
  });

  it('mark system and the last tool for the cache, unless the caller decides otherwise', () => {
    const messages: ChatMessage[] = [{ role: 'system', content: 'S' }];
    const tools = [1, 2].map((name) => ({ name: `f${name}`, parameters: {} }));
    const marks = (call: Partial<ChatCall>): number =>
      JSON.stringify(build('anthropic', { messages, ...call }).body).split('cache_control').length - 1;
    expect(marks({ tools })).toBe(2);
    expect(marks({})).toBe(0);
    expect(marks({ settings: { cachesPrompt: true } })).toBe(1);
    expect(marks({ tools, settings: { cachesPrompt: false } })).toBe(0);
  });

  it('join what the user says after results, and leave out empty text', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: '' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', input: {} }] },
      { role: 'tool', toolCallId: 'a', toolName: 'f', content: '' },
      { role: 'user', content: [{ type: 'text', text: 'And?' }, PNG, PDF] },
    ];
    expect(build('anthropic', { messages }).body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a' },
          { type: 'text', text: 'And?' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'BBBB' } },
        ],
      },
    ]);
    expect(() => build('anthropic', { messages: asking(WAV) })).toThrow(ModelError);
  });

  it('choose tools, one at a time if asked', () => {
    const tools = [{ name: 'f', parameters: {} }];
    const choice = (settings: ChatCall['settings']) =>
      build('anthropic', { tools, ...(settings === undefined ? {} : { settings }) }).body['tool_choice'];
    expect(choice({ toolChoice: 'required' })).toEqual({ type: 'any' });
    expect(choice({ toolChoice: { name: 'f' } })).toEqual({ type: 'tool', name: 'f' });
    expect(choice({ parallelToolCalls: false })).toEqual({ type: 'auto', disable_parallel_tool_use: true });
    expect(choice({})).toBeUndefined();
  });
});

describe('requests in ollama', () => {
  it('have all settings as options, and say whether they stream', () => {
    const { path, body } = build('ollama', {
      settings: { ...SETTINGS, thinkingTokens: 0, body: { keep_alive: '5m', options: { num_ctx: 8_192 } } },
      messages: asking({ type: 'text', text: 'See' }, PNG),
      schema: { name: 'a', schema: { type: 'object' } },
    });
    expect(path).toBe('/api/chat');
    expect(body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'See', images: ['AAAA'] }],
      format: { type: 'object' },
      think: false,
      options: {
        temperature: 0.5,
        top_p: 0.9,
        top_k: 40,
        num_predict: 100,
        seed: 7,
        stop: ['END'],
        frequency_penalty: 0.1,
        presence_penalty: 0.2,
        num_ctx: 8_192,
      },
      stream: false,
      keep_alive: '5m',
    });
    expect(() => build('ollama', { messages: asking(PDF) })).toThrow(ModelError);
  });
});

describe('files that are stored at the service', () => {
  const image: ContentPart = { type: 'fileId', mimeType: 'image/*', id: 'f1' };
  const document: ContentPart = { type: 'fileId', mimeType: 'application/pdf', id: 'f2' };
  const contentOf = (format: ModelFormat, field: string, ...parts: ContentPart[]): unknown =>
    build(format, { messages: asking(...parts) }).body[field];

  it('are named by their IDs', () => {
    const forCode: ContentPart = { type: 'fileId', mimeType: 'text/csv', id: 'f3', forCode: true };
    expect(contentOf('anthropic', 'messages', image, document, forCode)).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'file', file_id: 'f1' } },
          { type: 'document', source: { type: 'file', file_id: 'f2' } },
          { type: 'container_upload', file_id: 'f3' },
        ],
      },
    ]);
    expect(contentOf('openai-responses', 'input', image, document)).toMatchObject([
      {
        content: [
          { type: 'input_image', file_id: 'f1' },
          { type: 'input_file', file_id: 'f2' },
        ],
      },
    ]);
    expect(contentOf('openai-chat', 'messages', document)).toMatchObject([
      { content: [{ type: 'file', file: { file_id: 'f2' } }] },
    ]);
  });

  it.each<[ModelFormat, ContentPart]>([
    ['openai-chat', image],
    ['gemini', document],
    ['ollama', image],
  ])('are refused in %s, which has no place for them', (format, part) => {
    expect(() => build(format, { messages: asking(part) })).toThrow(ModelError);
  });
});
