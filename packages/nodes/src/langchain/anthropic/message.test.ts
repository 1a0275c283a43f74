import { jsonOf, memoryFiles, runTest } from '@weft/engine/testing';
import { type ScriptStep, TEST_KEY } from '@weft/models/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { OutboundError, type OutboundRequest } from '@weft/outbound';
import { type ModelWorld, openModelWorld } from '../models/testing/run-model';
import { askingTest, callWeather, say } from '../testing/ask-node';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

const testOf = (steps: readonly ScriptStep[], parameters: JsonObject) =>
  askingTest(world, steps, {
    kind: 'anthropic',
    version: 1,
    credentialType: 'anthropicApi',
    credential: { apiKey: TEST_KEY, url: world.server.url },
    parameters: { modelId: { value: 'claude-sonnet-4-5' }, messages: { values: [{ content: 'Hi' }] }, ...parameters },
  });

/** The run with a server for files: type `image/png` for each, and IDs `f1`, `f2` and so on for uploads. */
const withFiles = (test: ReturnType<typeof testOf>) => {
  const sent: OutboundRequest[] = [];
  const http = {
    request: (request: OutboundRequest) => {
      sent.push(request);
      if (sent.length > 9) throw new OutboundError('ABORTED', 'too many requests');
      const body = Buffer.from(`{"id":"f${sent.length}","mime_type":"application/pdf"}`);
      const headers = { 'content-type': request.url.includes('/v1/files') ? 'application/json' : 'image/png' };
      return Promise.resolve({ status: 200, statusText: '', headers, body, url: request.url });
    },
  };
  return { sent, test: { ...test, ports: { http, files: memoryFiles() } } };
};

const lastMessages = (): unknown => world.server.last().body['messages'];
const paused: ScriptStep = {
  raw: {
    body: JSON.stringify({
      content: [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }],
      stop_reason: 'pause_turn',
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
  },
};

describe('the Anthropic node', () => {
  it('sends its options, and tools of the service next to attached ones', async () => {
    const options = {
      system: 'Be brief',
      webSearch: true,
      maxUses: 3,
      allowedDomains: 'a.example, b.example',
      codeExecution: true,
      maxTokens: 50,
      temperature: 0.5,
      topK: 3,
    };
    await runTest(testOf([say('Hi')], { options }));
    const { body, headers } = world.server.last();
    expect(body).toMatchObject({
      max_tokens: 50,
      temperature: 0.5,
      top_k: 3,
      system: [{ text: 'Be brief' }],
      tools: [
        { name: 'weather' },
        { type: 'code_execution_20250522', name: 'code_execution' },
        {
          type: 'web_search_20250305',
          name: 'web_search',
          max_uses: 3,
          allowed_domains: ['a.example', 'b.example'],
        },
      ],
    });
    expect(headers['anthropic-beta']).toBe('files-api-2025-04-14,code-execution-2025-05-22');
  });

  it('counts the answer after the last round of tools', async () => {
    const result = await runTest(testOf([callWeather('Rome')], { options: { maxToolsIterations: 2 } }));
    expect(JSON.stringify(jsonOf(result, 'Ask'))).toContain('tool_use');
    expect(world.server.seen).toHaveLength(3);
  });

  it('sends a paused answer back, at most three times', async () => {
    const once = await runTest(testOf([paused, say('Done')], {}));
    expect(jsonOf(once, 'Ask')).toEqual([{ content: [{ type: 'text', text: 'Done' }] }]);
    expect(lastMessages()).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [expect.objectContaining({ type: 'server_tool_use' })] },
    ]);
    await runTest(testOf([paused], {}));
    expect(world.server.seen).toHaveLength(4);
  });

  it('asks for the types of attachments at addresses once, also if tools are called', async () => {
    const { sent, test } = withFiles(
      testOf([callWeather('Rome'), say('Done')], {
        addAttachments: true,
        attachmentsUrls: `https://a.example/cat.png, ${world.server.url}/v1/files/f7`,
      }),
    );
    await runTest(test);
    expect(sent.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ['HEAD', '/cat.png'],
      ['GET', '/v1/files/f7'],
    ]);
    expect(lastMessages()).toMatchObject([
      {
        role: 'user',
        content: [
          { type: 'text' },
          { type: 'image', source: { type: 'url', url: 'https://a.example/cat.png' } },
          { type: 'document', source: { type: 'file', file_id: 'f7' } },
        ],
      },
      { role: 'assistant' },
      { role: 'user' },
    ]);
  });

  it('uploads attachments for code once, also if tools are called', async () => {
    const { sent, test } = withFiles(
      testOf([callWeather('Rome'), say('Done')], {
        addAttachments: true,
        attachmentsUrls: `https://a.example/data.csv, ${world.server.url}/v1/files/f7`,
        options: { codeExecution: true },
      }),
    );
    await runTest(test);
    expect(sent.map(({ method, url }) => [method, new URL(url).pathname])).toEqual([
      ['GET', '/data.csv'],
      ['POST', '/v1/files'],
    ]);
    expect(sent[0]?.headers).not.toContainEqual(['x-api-key', TEST_KEY]);
    expect(JSON.stringify(lastMessages())).toContain(
      '{"type":"container_upload","file_id":"f2"},{"type":"container_upload","file_id":"f7"}',
    );
  });

  it('sends attachments without a prompt, and refuses neither', async () => {
    const parameters = { messages: { values: [{ content: '' }] }, addAttachments: true };
    const { test } = withFiles(testOf([say('A cat')], { ...parameters, attachmentsUrls: 'https://a.example/cat.png' }));
    expect(jsonOf(await runTest(test), 'Ask')).toHaveLength(1);
    const { outcome } = await runTest(testOf([], parameters));
    expect(outcome).toMatchObject({ kind: 'error', error: { message: 'The item has no file to send' } });
  });
});
