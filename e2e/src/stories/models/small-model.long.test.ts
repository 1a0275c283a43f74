import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { activate, attach, modelNode } from '../../support/agents';
import { restClient, textOf, type Rest } from '../../support/rest';
import { SmallModelUnavailable, startSmallModel, type SmallModel } from '../../support/small-model/small-model';
import { node, type NodeFile } from '../../support/workflows';

/** The name says to Weft that the service enforces schemas, which this one does. */
const NAME = 'openai/gpt-4o-mini';
/** An answer may take minutes on a busy machine. */
const TIMEOUT_MS = 240_000;

describe('a real model of 135 million parameters, with forms enforced by a grammar', () => {
  let stack: Stack;
  let rest: Rest;
  let model: SmallModel | undefined;
  let why = '';
  let credential = '';

  beforeAll(async () => {
    model = await startSmallModel().catch((error: unknown) => {
      if (!(error instanceof SmallModelUnavailable)) throw error;
      why = error.message;
      console.warn(`The small model does not run here: ${why}`);
      return undefined;
    });
    if (model === undefined) return;
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const data = { apiKey: 'sk-small-0123456789', url: `${model.url}/v1` };
    credential = textOf(await rest('POST', '/credentials', { name: 'Small', type: 'openRouterApi', data }), 'id');
  });
  afterAll(async () => {
    model?.stop();
    await giveStackBack(stack);
  });

  /** Runs a test where the model runs; elsewhere it passes, and the log says why. */
  const itRuns = (what: string, test: () => Promise<void>): void =>
    it(what, async () => {
      if (model === undefined) expect(why).not.toBe('');
      else await test();
    });

  const small = (): NodeFile =>
    modelNode(
      'Model',
      'lmChatOpenRouter',
      1,
      { model: NAME, options: { timeout: TIMEOUT_MS, maxRetries: 0 } },
      { credentials: { openRouterApi: { id: credential, name: 'Small' } } },
    );

  /** Calls a webhook. @returns status and body */
  const call = async (path: string, body: object): Promise<readonly [number, string]> => {
    const reply = await fetch(`${stack.baseUrls[0] ?? ''}/webhook/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return [reply.status, await reply.text()];
  };

  /** Answers a text with a root that has the model. @returns the items of the root */
  const answer = async (root: NodeFile, text: string, tools: readonly NodeFile[] = []): Promise<unknown> => {
    const path = `small-${root.name.toLowerCase()}`;
    const hook = { httpMethod: 'POST', path, responseMode: 'lastNode', responseData: 'allEntries' };
    await activate(rest, {
      name: root.name,
      nodes: [node('Hook', 'webhook', 2, 0, hook), root, small(), ...tools],
      connections: {
        Hook: { main: [[{ node: root.name, type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', root.name],
          ...tools.map(({ name }) => [name, 'ai_tool', root.name] as const),
        ]),
      },
    });
    const [status, body] = await call(path, { text });
    expect([status, body]).toEqual([200, expect.stringMatching(/^\[/)]);
    return JSON.parse(body);
  };

  itRuns('extracts fields of the types that are asked for', async () => {
    const root = modelNode('Extractor', 'informationExtractor', 1.2, {
      text: '={{ $json.body.text }}',
      schemaType: 'fromAttributes',
      attributes: {
        attributes: [
          { name: 'city', type: 'string', description: 'The city', required: true },
          { name: 'temperature', type: 'number', description: 'The temperature', required: true },
        ],
      },
      options: {},
    });
    expect(await answer(root, 'It is 21 degrees in Paris today.')).toEqual([
      { output: { city: expect.stringContaining('Paris'), temperature: 21 } },
    ]);
  });

  itRuns('puts a text into categories', async () => {
    const root = modelNode('Classifier', 'textClassifier', 1.1, {
      inputText: '={{ $json.body.text }}',
      categories: { categories: [{ category: 'weather' }, { category: 'sports' }] },
      options: { fallback: 'other' },
    });
    const items = await answer(root, 'It rains in Paris.');
    expect(Array.isArray(items)).toBe(true);
  });

  itRuns('calls a tool with arguments that fit its schema, and answers with its result', async () => {
    const root = modelNode('Agent', 'agent', 3.1, {
      promptType: 'define',
      text: '={{ $json.body.text }}',
      options: { systemMessage: 'Answer briefly.', returnIntermediateSteps: true },
    });
    const weather = modelNode('Weather', 'toolCode', 1.2, {
      description: 'Says how the weather is in a city.',
      jsCode: 'return `It is sunny in ${query.city}.`',
      specifyInputSchema: true,
      schemaType: 'manual',
      inputSchema: JSON.stringify({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
    });
    expect(await answer(root, 'How is the weather in Rome?', [weather])).toEqual([
      {
        output: expect.stringMatching(/\w/),
        intermediateSteps: [
          {
            action: expect.objectContaining({ tool: 'Weather', toolInput: { city: expect.any(String) } }),
            observation: expect.stringContaining('It is sunny in '),
          },
        ],
      },
    ]);
  });

  itRuns('answers in a chat', async () => {
    await activate(rest, {
      name: 'Chat',
      nodes: [
        modelNode('Chat', 'chatTrigger', 1.1, { public: true, options: {} }, { webhookId: 'small-chat' }),
        modelNode('Agent', 'agent', 3.1, { options: {} }),
        small(),
      ],
      connections: {
        Chat: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([['Model', 'ai_languageModel', 'Agent']]),
      },
    });
    const said = { action: 'sendMessage', sessionId: 's', chatInput: 'Say hello.' };
    expect(await call('small-chat/chat', said)).toEqual([200, expect.stringMatching(/"output":"[^"]*\w/)]);
  });
});
